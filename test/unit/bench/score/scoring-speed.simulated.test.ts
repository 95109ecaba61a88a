import { expect, it } from 'vitest'
import { judgeSubject } from '../../../../src/core/matching/judge-subject.ts'
import { noPast } from '../../../../src/core/matching/record-past.ts'
import {
  madeCandidates,
  madeCells,
  madeKinds,
  madeSettings,
} from '../../../../bench/score/made-records.ts'
import { measureSpeeds, subjectOf } from '../../../../bench/score/scoring.ts'

const RECORDS = 300
const MOST_ROUNDS = 6
/** Measured 1 to 3.5; before names were remembered it was 3 to 8. */
const MOST_TIMES_SLOWER = 6

it.each(madeKinds)(
  'deciding about a %s takes few times as long as comparing the names of its candidates as texts',
  (kind) => {
    let ratio = Infinity
    // The first round warms up, and the machine has other things to do; one good round is enough.
    for (let round = 0; round < MOST_ROUNDS && ratio >= MOST_TIMES_SLOWER; round++) {
      const { judged, compared } = measureSpeeds(kind, RECORDS)
      ratio = compared / judged
    }
    expect(ratio).toBeLessThan(MOST_TIMES_SLOWER)
  },
  30_000,
)

it.each(madeKinds)('of made records about a %s most are found again, and not all', (kind) => {
  const settings = madeSettings(kind)
  const right = Array.from({ length: 200 }, (_, subject) => {
    const list = madeCandidates(kind, subject)
    const answer = {
      position: 0,
      status: 'answered',
      list,
      errorCode: null,
      errorMessage: null,
    } as const
    const verdict = judgeSubject(
      { cells: madeCells(kind, subject), answers: [answer], past: noPast },
      settings,
    )
    return verdict.kind === 'decided' && verdict.decision.best?.id === list.candidates[0]?.id
  })
  expect(right.filter(Boolean).length).toBeGreaterThan(180)
})

it('six of ten entries are about a subject of their own', () => {
  const subjects = Array.from({ length: 10_000 }, (_, entry) => subjectOf(entry))
  expect(new Set(subjects).size).toBe(6_000)
})
