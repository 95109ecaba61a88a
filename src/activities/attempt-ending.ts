/** What follows from how an attempt failed. */
import type { FailureKind } from '../core/download/failure-reason.ts'
import type { QueueOptions } from '../core/download/queue-options.ts'
import { waitDelayMs } from '../core/wait-delay.ts'
import { NoSlotError } from '../db/advisory-slots.ts'
import { UsageError } from '../errors.ts'
import { DownloadError } from '../http/download/download-error.ts'
import { StoreError } from '../store/store-error.ts'
import type { HostReach } from './host-reach.ts'
import { withHint } from './to-failure.ts'

export type AttemptEnding =
  /** The attempt counts. @param retryInMs null: no other is made */
  | { readonly kind: 'fail'; readonly retryInMs: number | null }
  /** It does not count, and the job leaves the window until then. */
  | { readonly kind: 'park'; readonly waitMs: number }
  /** It does not count, and the job keeps its place. */
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** Nothing of the queue can go on before a person has done something. */
  | { readonly kind: 'pause' }

export interface AttemptFailure {
  readonly reason: string
  /** Without secrets. */
  readonly message: string
  readonly httpStatus: number | null
  readonly ending: AttemptEnding
}

export interface FailedAttempt {
  readonly options: Pick<QueueOptions, 'maxAttempts' | 'backoffMs' | 'giveUpAfterMs'>
  /** This one, from 1. */
  readonly attempt: number
  readonly host: string
  /** Temporal's number of the activity's attempt. */
  readonly waits: number
  readonly reach: HostReach
  /** Uniform in [0, 1). */
  readonly random: number
}

/** A longer wait leaves the window to others. */
const LONGEST_PLACE_MS = 60_000
const SLOT_WAIT_MS = 4_000

/** @returns undefined: an error that nobody foresaw */
export function attemptFailure(error: unknown, failed: FailedAttempt): AttemptFailure | undefined {
  if (error instanceof DownloadError) {
    const { reason, message, excerpt, status, kind, retryAfterMs, parks } = error
    const text = excerpt === undefined ? withHint(error) : `${message} It began: ${excerpt}`
    const ending =
      kind === 'throttled' && parks
        ? ({ kind: 'park', waitMs: retryAfterMs ?? LONGEST_PLACE_MS } as const)
        : endingOf(kind, retryAfterMs, failed)
    return { reason, message: text, httpStatus: status ?? null, ending }
  }
  if (error instanceof StoreError) {
    const reason = error.code.replaceAll('_', '-')
    return {
      reason,
      message: withHint(error),
      httpStatus: null,
      ending: endingOf(error.kind, undefined, failed),
    }
  }
  if (error instanceof NoSlotError) {
    const waitMs = SLOT_WAIT_MS * (0.5 + failed.random)
    return {
      reason: 'no-slot-soon',
      message: error.message,
      httpStatus: null,
      ending: { kind: 'wait', waitMs },
    }
  }
  if (error instanceof UsageError) {
    const reason = error.code.replaceAll('_', '-')
    return { reason, message: withHint(error), httpStatus: null, ending: { kind: 'pause' } }
  }
  return undefined
}

function endingOf(
  kind: FailureKind,
  retryAfterMs: number | undefined,
  failed: FailedAttempt,
): AttemptEnding {
  const { options, reach, host, waits, random } = failed
  if (kind === 'disk') return { kind: 'pause' }
  if (kind === 'permanent') return { kind: 'fail', retryInMs: null }
  const isAway = kind === 'unreachable' && reach.away(host, options.giveUpAfterMs) === 'failed'
  if (kind === 'transient' || isAway) return { kind: 'fail', retryInMs: backOffMs(failed) }
  const waitMs = retryAfterMs ?? waitDelayMs(waits, random)
  return { kind: waitMs > LONGEST_PLACE_MS ? 'park' : 'wait', waitMs }
}

/** Full jitter around the step, as `core/retry-delay.ts` says. @returns null: it was the last attempt */
function backOffMs({ options, attempt, random }: FailedAttempt): number | null {
  const { maxAttempts, backoffMs } = options
  if (attempt >= maxAttempts) return null
  const stepMs = backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? 0
  return Math.round(stepMs * (0.5 + random))
}
