import { expect, it } from 'vitest'
import type { Explanation } from '../../../../src/client/explain/explain-entry.ts'
import { explanationText } from '../../../../src/client/explain/explanation-text.ts'
import type { FeatureEvidence } from '../../../../src/core/matching/decision.ts'
import { scoreShares } from '../../../../src/core/matching/score-shares.ts'
import { thresholdsByKind } from '../../../../src/core/project-settings.ts'

const feature = (name: string, weight: number, changes: Partial<FeatureEvidence> = {}) => ({
  feature: name,
  verdict: 'agree' as const,
  weight,
  record: `${name} here`,
  candidate: `${name} there`,
  how: 'equal',
  ...changes,
})
const features = [
  feature('name', 6),
  feature('P17', -2, { verdict: 'disagree', how: 'code' }),
  feature('P571', 0, { verdict: 'unknown', candidate: '', how: '' }),
]

/** A record with two candidates; the second lacks what the first one states. */
function explanation(changes: Partial<Explanation> = {}): Explanation {
  const candidate = { label: 'Star', description: 'a shop', score: 55, veto: null }
  return {
    project: 7,
    entry: 'r1',
    status: 'review',
    qid: null,
    error: null,
    isAbsent: false,
    record: { names: ['Star'], types: [], properties: [] },
    questions: [],
    judgments: [],
    decision: {
      outcome: 'review',
      rule: 'lead-too-small',
      reason: 'Perhaps Q1 Star: scores 55, only 10 ahead of Q2.',
      margin: 10,
      service: 'sample',
      run: 3,
      decidedBy: null,
      settingsRevision: 2,
      weightsVersion: 'w1',
      decidedAt: new Date('2026-11-28T10:00:00Z'),
      holds: true,
      outdatedBy: null,
      kind: 'generic',
      thresholds: thresholdsByKind.generic,
      prior: -2.3,
      candidatesTotal: 4,
      gone: [],
      truncated: false,
      candidates: [
        { id: 'Q1', ...candidate, features: scoreShares(features) },
        {
          id: 'Q2',
          ...candidate,
          veto: 'P17 disagrees',
          features: scoreShares(features.slice(0, 1)),
        },
      ],
    },
    ...changes,
  }
}

it('the share of a feature is its part of all weights, for and against', () => {
  expect(scoreShares(features).map(({ share }) => share)).toEqual([75, -25, 0])
  expect(scoreShares([feature('name', 0)])[0]?.share).toBe(0)
})

it('candidates stand side by side, feature by feature, with what is unknown said so', () => {
  const lines = explanationText(explanation(), 2).split('\n')
  const after = (start: string) => lines.find((line) => line.startsWith(start))?.split(/\s{2,}/)
  expect(after('name')).toEqual(['name', 'name here', 'name there', 'name there'])
  expect(after('P17')).toEqual(['P17', 'P17 here', 'P17 there'])
  expect(after('score')).toEqual(['score', '55', '55'])
  expect(lines.some((line) => line.includes('disagree (code) −2.0, 25 %'))).toBe(true)
  expect(lines.some((line) => line.trim() === 'unknown')).toBe(true)
  expect(lines.find((line) => line.startsWith('veto'))).toContain('P17 disagrees')
  expect(lines.at(-1)).toBe('2 more of 4 candidates are not shown.')
})

it('as many candidates are shown as were asked for', () => {
  const text = explanationText(explanation(), 1)
  expect(text).not.toContain('Q2  ')
  expect(text).toContain('3 more of 4 candidates are not shown.')
})

it('text of others cannot move the cursor', () => {
  const record = { names: ['Star\u001b[2J'], types: [], properties: [] }
  const question = {
    name: 'a',
    kind: 'batch' as const,
    language: null,
    status: 'failed' as const,
    answeredAt: null,
    candidates: 0,
    truncated: false,
    errorCode: 'http_400',
    errorMessage: 'no\r\nway\u0007',
  }
  const text = explanationText(explanation({ record, questions: [question], decision: null }), 3)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
})

it('of Wikidata it tells which of its searches was made, which items were merged, and which are gone', () => {
  const { decision } = explanation()
  if (decision === null) throw new Error('expected a decision')
  const answered = {
    status: 'answered' as const,
    answeredAt: null,
    candidates: 2,
    truncated: false,
  }
  const question = { ...answered, language: null, errorCode: null, errorMessage: null }
  const text = explanationText(
    explanation({
      questions: [
        { ...question, name: 'Q141', kind: 'id' },
        { ...question, name: 'Ada', kind: 'label', language: 'nl' },
        { ...question, name: 'Ada', kind: 'words' },
      ],
      decision: {
        ...decision,
        gone: ['Q142'],
        candidates: decision.candidates.map((one) => ({ ...one, foundAs: ['Q141'] })),
      },
    }),
    2,
  )
  expect(text).toContain('by id "Q141": 2 candidates')
  expect(text).toContain('by label (nl) "Ada": 2 candidates')
  expect(text).toContain('by words "Ada": 2 candidates')
  expect(text).toMatch(/merged from +Q141 +Q141/)
  expect(text).toContain('Q142: deleted, or merged twice')
})
