import { expect, it } from 'vitest'
import { dueText, nothingDueText } from '../../../../src/client/match/due-text.ts'
import { counted } from '../../../../src/core/counted.ts'
import type { DueCounts } from '../../../../src/db/due-subjects.ts'

const counts = { present: 500, judged: 0, judgedAskedAgain: 0, failedWaiting: 0 } as DueCounts
const plain = { failed: null, only: null, rescore: false }

it('a retry where nothing has failed says so', () => {
  expect(nothingDueText({ id: 7 }, counts, { ...plain, retryFailed: true })).toBe(
    'No record of project 7 has failed, and none is due; the service was asked nothing.',
  )
  expect(nothingDueText({ id: 7 }, counts, { ...plain, retryFailed: false })).toMatch(
    /^Nothing is due in project 7/,
  )
})

const none = {
  new: 0,
  changed: 0,
  settings: 0,
  cancelled: 0,
  failed: 0,
  picked: 0,
  refresh: 0,
  rescored: 0,
}

it('one is told in the singular, none and many in the plural', () => {
  const counts = (due: number, judgedAskedAgain: number) =>
    ({
      due: { ...none, new: due },
      judged: due,
      judgedAskedAgain,
      failedWaiting: due,
      present: 5,
    }) as unknown as Parameters<typeof dueText>[0]
  expect(dueText(counts(1, 1))).toMatch(
    /^1 record is due: .* 1 of them is judged: .* 1 judged one stays as it is\. 1 failed one waits/,
  )
  expect(dueText(counts(2, 2))).toMatch(
    /^2 records are due: .* 2 of them are judged: .* 2 judged ones stay as they are\. 2 failed ones wait/,
  )
  expect([0, 1, 2].map((n) => counted(n, 'row'))).toEqual(['0 rows', '1 row', '2 rows'])
})
