/** How many permits a process wants for the next slot, seen from who came in the last ones. */
import { DEMAND_MS } from '../core/limiter/broker-agenda.ts'
import type { ProjectWant } from '../core/limiter/protocol.ts'
import { claimKey, type Claimant } from '../core/limiter/waiting-line.ts'

/** What a message may carry. */
const MOST_PROJECTS = 16
const MOST_PERMITS = 10_000
/** Callers that wait for their answers come no faster than permits: what came is less than what would. */
const HIDDEN = 2

interface Demand {
  readonly claimant: Claimant
  readonly came: number
}

export class DemandMeter {
  #slot = -Infinity
  #before = new Map<string, Demand>()
  #now = new Map<string, Demand>()

  count(claimant: Claimant, nowMs: number): void {
    this.#turn(nowMs)
    const key = claimKey(claimant)
    this.#now.set(key, { claimant, came: (this.#now.get(key)?.came ?? 0) + 1 })
  }

  /** @param waiting The callers in line. */
  wants(waiting: readonly Claimant[], nowMs: number): readonly ProjectWant[] {
    this.#turn(nowMs)
    const claimants = new Map<string, Claimant>()
    for (const [key, { claimant }] of [...this.#before, ...this.#now]) claimants.set(key, claimant)
    for (const claimant of waiting) claimants.set(claimKey(claimant), claimant)
    return [...claimants]
      .map(([key, { project, priority }]) => {
        const inLine = waiting.filter((other) => claimKey(other) === key).length
        const came = Math.max(this.#now.get(key)?.came ?? 0, this.#before.get(key)?.came ?? 0)
        const permits = Math.min(MOST_PERMITS, Math.max(inLine, HIDDEN * came))
        return priority === 'normal' ? { project, permits } : { project, permits, priority }
      })
      .sort((a, b) => b.permits - a.permits)
      .slice(0, MOST_PROJECTS)
  }

  #turn(nowMs: number): void {
    const slot = Math.floor(nowMs / DEMAND_MS)
    if (slot === this.#slot) return
    this.#before = slot === this.#slot + 1 ? this.#now : new Map()
    this.#now = new Map()
    this.#slot = slot
  }
}
