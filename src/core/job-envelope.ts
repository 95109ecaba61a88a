/** A task in the envelope of a job: what it is, which try it is, and how to trace it. References only, never data. */
import { taskTrace } from './trace-place.ts'

export interface JobEnvelope {
  readonly header: {
    /** Of the task in its run: the same however often it is tried. */
    readonly job_id: string
    readonly type: 'entity.match'
    readonly version: '1.0'
    readonly created_at: string
    /** From 1. */
    readonly attempt: number
    readonly max_attempts: number
  }
  readonly body: {
    readonly project_id: number
    readonly run: number
    readonly task_id: number
    readonly dataset_entry_ids: readonly number[]
  }
  readonly tracing: {
    /** 32 hexadecimal digits: the same for all of a run. */
    readonly trace_id: string
    /** 16 of them: the span of the task. */
    readonly span_id: string
  }
}

export interface TaskOfRun {
  readonly projectId: number
  readonly run: number
  /** Temporal's first run id, a UUID. */
  readonly temporalRunId: string
  readonly startedAt: string
  readonly maxAttempts: number
  readonly task: number
  readonly failedAttempts: number
  readonly entryIds: readonly number[]
}

/** @param digest 64 hexadecimal digits that are the same for the same text */
export function jobEnvelope(task: TaskOfRun, digest: (text: string) => string): JobEnvelope {
  const hex = digest(`${task.temporalRunId}/task-${task.task}`)
  const { traceId, spanId } = taskTrace(task, digest)
  return {
    header: {
      job_id: uuidOf(hex),
      type: 'entity.match',
      version: '1.0',
      created_at: task.startedAt,
      attempt: Math.min(task.failedAttempts + 1, task.maxAttempts),
      max_attempts: task.maxAttempts,
    },
    body: {
      project_id: task.projectId,
      run: task.run,
      task_id: task.task,
      dataset_entry_ids: task.entryIds,
    },
    tracing: { trace_id: traceId, span_id: spanId },
  }
}

/** A UUID of version 8 (RFC 9562): its bits are ours. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
