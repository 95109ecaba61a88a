import { expect, it } from 'vitest'
import { reportText } from '../../../../src/client/match/run-report.ts'
import type { RunReport } from '../../../../src/db/run-report.ts'

/** Of 500 records, 394 + 88 + 18 have results; 200 of them are queued again. */
const refreshing: RunReport = {
  project: 123,
  run: 'first-run-id',
  status: 'running',
  entries: { total: 500, completed: 300, failed: 0, cancelled: 0 },
  outcomes: { matched: 394, review: 88, no_candidate: 18, skipped: 0 },
  requests: { sent: 6, throttled: 0, failed: 0 },
  durationMs: 14_000,
}

it('what is decided again keeps its result until then, and is counted once', () => {
  const lines = reportText(refreshing, undefined).split('\n')
  expect(lines).not.toContainEqual(expect.stringContaining('not started'))
  expect(lines).toContain('  200 of these are being decided again')
})

it('what has no result yet is not started', () => {
  const outcomes = { matched: 200, review: 88, no_candidate: 12, skipped: 0 }
  const lines = reportText({ ...refreshing, outcomes }, undefined).split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/not started +200 +40\.0 %/))
  expect(lines).not.toContainEqual(expect.stringContaining('again'))
})
