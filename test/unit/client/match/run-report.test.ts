import { expect, it } from 'vitest'
import { type RunHold, runWaiting } from '../../../../src/client/match/run-waiting.ts'
import { reportText } from '../../../../src/client/match/run-report.ts'
import type { RunReport } from '../../../../src/db/run-report.ts'
import type { Run } from '../../../../src/db/runs.repo.ts'

const run = { number: 3, isSample: false, errorMessage: null } as Run

/** Of 500 records, 394 + 88 + 18 have results; 200 of them are queued again. */
const refreshing: RunReport & RunHold = {
  paused: null,
  waiting: null,
  progress: null,
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

it('a run that stands still is not told as running', () => {
  const paused = { reason: 'unauthorised: the service answers 401', since: null }
  const waiting = runWaiting(null, { sinceMs: 20_000, code: 'connection_refused' }, 1_000_000)
  expect(reportText({ ...refreshing, paused, waiting }, run)).toContain(
    'Project 123, run 3: paused (unauthorised: the service answers 401) after',
  )
  expect(reportText({ ...refreshing, waiting }, run)).toContain(
    'run 3: running, waiting for the service since 20 s (connection_refused) after',
  )
  expect(waiting).toMatchObject({ reason: 'trouble', since: '1970-01-01T00:16:20.000Z' })
})
