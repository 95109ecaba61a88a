/**
 * Where a trace is found. Its id is made of what everybody knows of the work, so that all attempts at it are in one
 * trace, whichever process made them, and whoever sees the work knows its trace without asking.
 */

export interface TracePlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 of them. */
  readonly spanId: string
}

/** 64 hexadecimal digits that are the same for the same text. */
export type TraceDigest = (text: string) => string

/** A task in the trace of its run; the span is that of the whole task, above all attempts. */
export function taskTrace(
  { temporalRunId, task }: { readonly temporalRunId: string; readonly task: number },
  digest: TraceDigest,
): TracePlace {
  const digits = temporalRunId.replaceAll('-', '').toLowerCase()
  const isUuid = /^[0-9a-f]{32}$/.test(digits)
  return {
    traceId: isUuid ? digits : digest(temporalRunId).slice(0, 32),
    spanId: digest(`${temporalRunId}/task-${task}`).slice(32, 48),
  }
}

/** Of a page of a source, also after its run was resumed: an extraction has too many pages for one trace. */
export function pageTraceId(
  { id, startedAt }: { readonly id: number; readonly startedAt: Date },
  { type, position }: { readonly type: string; readonly position: number },
  digest: TraceDigest,
): string {
  return digest(`extract/${id}/${startedAt.toISOString()}/${type}/${position}`).slice(0, 32)
}

/** Of a file of a queue, across all attempts at it. */
export function artifactTraceId(
  job: { readonly queue: string; readonly id: number; readonly artifactId: string },
  digest: TraceDigest,
): string {
  return digest(`${job.queue}/artifact/${job.id}/${job.artifactId}`).slice(0, 32)
}
