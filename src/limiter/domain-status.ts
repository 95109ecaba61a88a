/** What a process waits for at one domain, for `status` and metrics. */
import type { RefusalReason } from '../core/limiter/protocol.ts'

export interface DomainStatus {
  readonly domain: string
  /** Callers in line. */
  readonly waiting: number
  readonly inFlight: number
  readonly permitsLeft: number
  /** Requests per second this process may send at present; 0 before the first lease. */
  readonly rate: number
  /** Left to pay for repeats (`retry-quota.ts`). */
  readonly retryQuota: number
  /** Why nothing is sent at present; null when permits flow, or nobody asks. */
  readonly hold: RefusalReason | 'limiter_silent' | null
  /** How long that lasts as far as is known. */
  readonly holdForMs: number
}
