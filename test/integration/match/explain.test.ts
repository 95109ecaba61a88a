import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainEntry, type Explanation } from '../../../src/client/explain/explain-entry.ts'
import { explanationText } from '../../../src/client/explain/explanation-text.ts'
import { findProject, type Project } from '../../../src/db/projects.repo.ts'
import { appendJudgments, type IncomingJudgment } from '../../../src/db/judgments.repo.ts'
import { WEIGHTS_VERSION } from '../../../src/core/matching/weights.ts'
import { thresholdsByKind } from '../../../src/core/project-settings.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject, putRecords, reviseSettings } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const cities = ['Amsterdam', 'Utrecht', 'Nowhere', '', 'Berlin', 'Paris']
const records = cities.map((name, index) => ({ id: `r${index}`, name, note: 'kept' }))

let server: MatchServer
let project: Project
beforeAll(async () => {
  server = await startMatchServer()
  const { bench, service } = server
  // A question about Berlin is refused.
  service.respond((request) => {
    const names = Object.values(request.queries ?? {}).map(({ query }) => query)
    if (request.queries === null) return manifestAnswer(request)
    return names.includes('Berlin') ? { status: 400, json: {} } : answerByName(request)
  })
  const { id } = await createTestProject(bench.db, server.ownAddress(), records, {
    mapping: {
      name: 'name',
      variants: [],
      properties: [{ pid: 'P973', columns: ['note'], kind: 'text', use: 'keep' }],
    },
  })
  const options = { limit: 5, maxAttempts: 1 }
  await (await bench.start(id, { options })).result()
  project = await found(id)
})
afterAll(() => server.close())

async function found(id: number): Promise<Project> {
  const one = await findProject(server.bench.db, id)
  if (one === undefined) throw new Error('the project is gone')
  return one
}

const explain = (entry: string): Promise<Explanation> =>
  explainEntry(server.bench.db, project, entry)
const text = async (entry: string) => explanationText(await explain(entry), 3)

describe('an explanation', () => {
  it('shows candidates side by side, with both values, verdict and share of each feature', async () => {
    const utrecht = await explain('r1')
    expect(utrecht).toMatchObject({
      status: 'review',
      qid: null,
      record: { names: ['Utrecht'], properties: [{ pid: 'P973', use: 'keep', values: ['kept'] }] },
      questions: [{ name: 'Utrecht', status: 'answered', candidates: 2, truncated: false }],
      decision: {
        rule: 'lead-too-small',
        run: 1,
        holds: true,
        outdatedBy: null,
        thresholds: thresholdsByKind.generic,
        weightsVersion: WEIGHTS_VERSION,
        candidates: [
          {
            id: 'Q776',
            features: [
              {
                feature: 'name',
                record: 'Utrecht',
                candidate: 'Utrecht',
                verdict: 'agree',
                share: 100,
              },
            ],
          },
          { id: 'Q803' },
        ],
      },
    })
    const lines = (await text('r1')).split('\n')
    expect(lines.find((line) => line.startsWith(' ') && line.includes('record'))).toMatch(
      /Q776\s+Q803$/,
    )
    expect(
      lines.filter((line) => /agree \(equal\) \+\d+\.\d, 100 %\s+agree/.test(line)),
    ).toHaveLength(1)
    expect(lines).toContain(
      '  thresholds  match 91, review 35, lead 10 (generic, settings revision 1)',
    )
  })

  it.each([
    ['r0', /matched with Q727/],
    ['r2', /no candidate\. The service knows no such name/],
    ['r3', /skipped\. The record has no name/],
    ['r4', /failed: it could not be asked, which is not "no match"\. \w+: /],
    ['r5', /new: no run has taken it up/],
  ])('of %s says at once how it stands', async (entry, words) => {
    expect((await text(entry)).split('\n')[0]).toMatch(words)
  })

  it('of a record that failed has the code, and its question with what it met', async () => {
    const berlin = await explain('r4')
    expect(berlin).toMatchObject({
      status: 'failed',
      decision: null,
      questions: [{ status: 'failed' }],
    })
    expect(berlin.error?.code).toBe(berlin.questions[0]?.errorCode)
  })

  it('shows what people said, what of it holds, and that the decision is no longer the result', async () => {
    const said: Omit<IncomingJudgment, 'verdict' | 'qid'> = {
      line: 1,
      externalId: 'r1',
      by: 'ada',
      at: null,
      note: 'the city',
      matchHash: null,
    }
    await appendJudgments(server.bench.db, project.id, [
      { ...said, verdict: 'match', qid: 'Q776' },
      { ...said, verdict: 'match', qid: 'Q803' },
    ])
    expect(await explain('r1')).toMatchObject({
      status: 'matched',
      qid: 'Q803',
      decision: { holds: false },
      judgments: [
        { qid: 'Q776', by: 'ada', holds: false },
        { qid: 'Q803', note: 'the city', holds: true },
      ],
    })
    expect(await text('r1')).toContain('match Q776: the city (no longer holds)')
  })

  it('says when the settings have changed since, and when the cells have', async () => {
    const { db } = server.bench
    const own = await createTestProject(db, server.ownAddress(), records.slice(0, 2))
    await (await server.bench.start(own.id)).result()
    await reviseSettings(db, own, { thresholds: { match: 1, review: 1, lead: 0 } })
    const changed = await explainEntry(db, await found(own.id), 'r0')
    expect(changed.decision).toMatchObject({
      outdatedBy: 'changed_settings',
      settingsRevision: 1,
      thresholds: thresholdsByKind.generic,
    })
    await putRecords(db, own.datasetId, [{ id: 'r0', name: 'Vienna' }])
    await (
      await server.bench.start(own.id, { settingsRevision: 2, options: { limit: 1 } })
    ).result()
    expect((await explainEntry(db, await found(own.id), 'r0')).decision).toMatchObject({
      outdatedBy: null,
      run: 2,
    })
  })

  it('of a record that there is none of is refused', async () => {
    await expect(explain('r99')).rejects.toMatchObject({ code: 'unknown_entry' })
  })
})
