import type { Db } from './connect.ts'
import type { TaskKey } from './task-subjects.repo.ts'

/** One outside call that left this machine. */
export interface Attempt {
  readonly domain: string
  /** `ok`, or the kind of error (DESIGN §3). */
  readonly outcome: string
  readonly httpStatus: number | null
  readonly code: string | null
  readonly message: string | null
  readonly lookupIds: readonly number[]
  readonly durationMs: number
}

export async function recordAttempt(db: Db, key: TaskKey | null, attempt: Attempt): Promise<void> {
  await db
    .insertInto('attempt')
    .values({
      run_id: key?.runId ?? null,
      task_number: key?.task ?? null,
      domain: attempt.domain,
      outcome: attempt.outcome,
      http_status: attempt.httpStatus,
      code: attempt.code,
      message: attempt.message,
      lookup_ids: JSON.stringify(attempt.lookupIds),
      duration_ms: Math.round(attempt.durationMs),
    })
    .execute()
}
