/** What a broker has to tell a limiter: counted per lease, kept until the limiter has answered. */
import type { CallOutcome } from '../core/limiter/permit.ts'
import type { LeaseReport } from '../core/limiter/protocol.ts'
import {
  countOutcome,
  countUnused,
  newTally,
  reportOf,
  type Errand,
  type Tally,
} from '../core/limiter/report-tally.ts'

/** As many as a message may carry; older ones count as spent. */
const MOST_REPORTS = 64
/** Leases whose requests may still be on their way. */
const MOST_LEASES = 256

export interface LeaseName {
  readonly id: string
  readonly epoch: number
}

export class ReportBook {
  /** By lease, least recently touched first. */
  readonly #tallies = new Map<string, Tally>()
  /** Leases whose tallies are not empty. */
  readonly #untold = new Set<string>()
  #unanswered: readonly LeaseReport[] = []

  get hasUntold(): boolean {
    return this.#unanswered.length > 0 || this.#untold.size > 0
  }

  outcome(lease: LeaseName, outcome: CallOutcome, errand: Errand, nowMs: number): void {
    this.#put(countOutcome(this.#tally(lease), outcome, errand, nowMs))
  }

  unused(lease: LeaseName, permits: number): void {
    if (permits > 0) this.#put(countUnused(this.#tally(lease), permits))
  }

  /** Everything not yet answered, for the next message; sequences never go back. */
  collect(nowMs: number): readonly LeaseReport[] {
    const fresh = [...this.#tallies.values()].filter(({ leaseId }) => this.#untold.has(leaseId))
    this.#untold.clear()
    for (const { leaseId, epoch, sequence } of fresh) {
      this.#tallies.set(leaseId, newTally(leaseId, epoch, sequence + 1))
    }
    const reports = fresh.map((tally) => reportOf(tally, nowMs))
    this.#unanswered = [...this.#unanswered, ...reports].slice(-MOST_REPORTS)
    return this.#unanswered
  }

  /** The limiter answered a message with these. */
  answered(reports: readonly LeaseReport[]): void {
    this.#unanswered = this.#unanswered.filter((report) => !reports.includes(report))
  }

  #tally({ id, epoch }: LeaseName): Tally {
    return this.#tallies.get(id) ?? newTally(id, epoch, 1)
  }

  #put(tally: Tally): void {
    this.#tallies.delete(tally.leaseId)
    this.#tallies.set(tally.leaseId, tally)
    this.#untold.add(tally.leaseId)
    for (const id of this.#tallies.keys()) {
      if (this.#tallies.size <= MOST_LEASES) break
      this.#tallies.delete(id)
      this.#untold.delete(id)
    }
  }
}
