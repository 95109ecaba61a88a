import { expect, it } from 'vitest'
import { attemptLine, attemptsHead } from '../../../../src/client/download/attempt-rows.ts'

it('an attempt is one line under its columns, and no cell is a formula', () => {
  expect(attemptsHead()).toBe(
    'at,job,artifact,attempt,resolver,plan,verb,status,reason,host,wire_bytes,stored_bytes,latency_ms,cache\n',
  )
  const line = attemptLine({
    at: new Date(0),
    jobId: 7,
    artifactId: '=HYPERLINK("https://example.org")',
    attempt: 2,
    resolver: 'direct',
    plan: -1,
    verb: 'http-get',
    status: null,
    reason: 'truncated',
    host: 'example.org',
    wireBytes: 10,
    storedBytes: 0,
    latencyMs: 12,
    cacheStatus: null,
  })
  expect(line).toBe(
    `1970-01-01T00:00:00.000Z,7,"'=HYPERLINK(""https://example.org"")",2,direct,-1,http-get,,truncated,example.org,10,0,12,\n`,
  )
})
