import { recordAttempt } from '../db/attempts.repo.ts'
import type { Db } from '../db/connect.ts'
import type { TaskKey } from '../db/task-subjects.repo.ts'
import type { Exchange } from '../http/exchange-record.ts'
import { onceStored } from './once-stored.ts'

/** Keeps one request as an attempt, before its answer is looked at. @param key null: it belongs to no run */
export async function recordExchange(
  db: Db,
  key: TaskKey | null,
  exchange: Exchange,
  lookupIds: readonly number[],
): Promise<void> {
  const attempt = {
    domain: exchange.domain,
    outcome: exchange.kind,
    httpStatus: exchange.status,
    code: exchange.code,
    message: exchange.message,
    lookupIds,
    durationMs: exchange.latencyMs,
  }
  await onceStored(() => recordAttempt(db, key, attempt))
}
