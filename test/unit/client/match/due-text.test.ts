import { expect, it } from 'vitest'
import { nothingDueText } from '../../../../src/client/match/due-text.ts'
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
