/** What happened in one simulated run; instants are of the virtual clock. */

export interface Accepted {
  readonly atMs: number
  readonly units: number
  readonly project: string
  readonly worker: string
}

/** One domain's part. */
export class DomainLog {
  /** Requests as they left their process. */
  readonly sentMs: number[] = []
  readonly accepted: Accepted[] = []
  /** "Slow down", as it was said. */
  readonly refusedMs: number[] = []
  /** Errors and broken connections. */
  readonly failedMs: number[] = []
  readonly latencyMs: number[] = []
  inFlight = 0
  mostInFlight = 0
  /** Sent although the limiter knew that the server had asked everybody to wait. */
  sentInPause = 0
  /** Sent by a process none of whose leases the limiter counts as live, which was in contact with it. */
  sentWithoutLease = 0
  /** Sent by a process on its own authority: its limiter was silent. */
  sentAlone = 0
  /** Rates of all leases that run at one instant, as a part of the domain's rate, at most. */
  mostLeased = 0
  updates = 0
  signals = 0
  readonly breaker: { readonly atMs: number; readonly state: string }[] = []
}
