import { cancellationSignal } from '@temporalio/activity'
import type { TaskKey } from '../db/task-subjects.repo.ts'
import { OutsideCallError } from '../errors.ts'
import type { CheckedService, KnownService } from './known-service.ts'
import type { OutsideCallDeps } from './outside-call.ts'
import { recordExchange } from './record-exchange.ts'

/** Learns how to ask a service. @throws OutsideCallError, never one that costs a record an attempt */
export async function checkKnown(
  { db }: Pick<OutsideCallDeps, 'db'>,
  known: KnownService,
  key: TaskKey,
  afresh: boolean,
): Promise<CheckedService> {
  try {
    return await known.check(
      {
        signal: cancellationSignal(),
        onExchange: (exchange) => recordExchange(db, key, exchange, []),
      },
      afresh,
    )
  } catch (error) {
    // No record asked for it, so no record has an attempt to lose: whatever passes by itself is waited for.
    if (!(error instanceof OutsideCallError) || error.kind !== 'transient') throw error
    const { code, message, hint, status, cause } = error
    throw new OutsideCallError({ kind: 'unreachable', code, message, hint, status, cause })
  }
}
