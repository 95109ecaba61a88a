import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { jobEnvelope } from '../../../src/core/job-envelope.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const task = {
  projectId: 50,
  run: 2,
  temporalRunId: '0af76519-16cd-43dd-8448-eb211c80319c',
  startedAt: '2026-11-29T10:00:00.000Z',
  maxAttempts: 3,
  task: 1024,
  failedAttempts: 0,
  entryIds: [500],
}

it('names a task the same however often it is tried, and traces it with its run', () => {
  const first = jobEnvelope(task, digest)
  const again = jobEnvelope({ ...task, failedAttempts: 1 }, digest)
  expect(first.header.job_id).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(again.header.job_id).toBe(first.header.job_id)
  expect([first.header.attempt, again.header.attempt]).toEqual([1, 2])
  expect(first.tracing.trace_id).toBe('0af7651916cd43dd8448eb211c80319c')
  expect(first.tracing.span_id).toMatch(/^[0-9a-f]{16}$/)
  expect(first.body).toEqual({ project_id: 50, run: 2, task_id: 1024, dataset_entry_ids: [500] })
})

it('gives tasks and runs names of their own', () => {
  const other = jobEnvelope({ ...task, task: 1025 }, digest)
  const ofOtherRun = jobEnvelope({ ...task, temporalRunId: 'not a uuid' }, digest)
  const first = jobEnvelope(task, digest)
  expect(other.header.job_id).not.toBe(first.header.job_id)
  expect(other.tracing.trace_id).toBe(first.tracing.trace_id)
  expect(ofOtherRun.header.job_id).not.toBe(first.header.job_id)
  expect(ofOtherRun.tracing.trace_id).toMatch(/^[0-9a-f]{32}$/)
})

it('never counts more tries than there are', () => {
  expect(jobEnvelope({ ...task, failedAttempts: 9 }, digest).header.attempt).toBe(3)
})
