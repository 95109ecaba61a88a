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

export interface AttemptKeeper {
  /** @throws at once only where it brought no answer */
  keep(exchange: Exchange, lookupIds: readonly number[]): Promise<void>
  /** To be called once the answers are stored. @throws why the first attempt that was not kept was not */
  assertKept(): void
}

/** For who asks a service: an attempt that cannot be kept must not cost the answer that it brought. @param key as above */
export function keepAttempts(db: Db, key: TaskKey | null): AttemptKeeper {
  const lost: unknown[] = []
  return {
    async keep(exchange, lookupIds) {
      try {
        await recordExchange(db, key, exchange, lookupIds)
      } catch (error) {
        if (exchange.kind !== 'ok') throw error
        lost.push(error)
      }
    },
    assertKept() {
      if (lost.length > 0) throw lost[0]
    },
  }
}
