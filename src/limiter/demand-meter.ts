/** How many permits a process wants for the next slot, seen from who came in the last ones. */
import { DEMAND_MS } from '../core/limiter/broker-agenda.ts'
import type { ProjectWant } from '../core/limiter/protocol.ts'
import { claimKey, type Claimant } from '../core/limiter/waiting-line.ts'

/** What a message may carry. */
const MOST_PROJECTS = 16
const MOST_PERMITS = 10_000
/** Callers that wait for their answers come no faster than permits: what came is less than what would. */
const HIDDEN = 2

/** For so long a claimant that has callers in line is taken to want as much as in its best slot. */
const REMEMBERED_MS = 120_000

interface Demand {
  readonly claimant: Claimant
  readonly came: number
}

interface Best {
  readonly came: number
  readonly atMs: number
}

/**
 * Callers come as fast as they are served: while a process waits for its turn only a few stand in line,
 * and the first leases of the turn would be as small. So the meter remembers what came in earlier turns.
 */
export class DemandMeter {
  #slot = -Infinity
  #before = new Map<string, Demand>()
  #now = new Map<string, Demand>()
  /** By claim key. */
  #best = new Map<string, Best>()
  /** By claim key, as last told; where it is not 1. */
  #weights = new Map<string, number>()

  count(claimant: Claimant, nowMs: number, weight = 1): void {
    this.#turn(nowMs)
    const key = claimKey(claimant)
    if (weight === 1) this.#weights.delete(key)
    else this.#weights.set(key, weight)
    const came = (this.#now.get(key)?.came ?? 0) + 1
    this.#now.set(key, { claimant, came })
    if (came >= (this.#best.get(key)?.came ?? 0)) this.#best.set(key, { came, atMs: nowMs })
  }

  /** Permits passed and nobody was there: what is remembered is not true any more. */
  forget(): void {
    this.#best.clear()
    this.#weights.clear()
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
        const lately = Math.max(this.#now.get(key)?.came ?? 0, this.#before.get(key)?.came ?? 0)
        const came = inLine > 0 ? Math.max(lately, this.#best.get(key)?.came ?? 0) : lately
        const permits = Math.min(MOST_PERMITS, Math.max(inLine, HIDDEN * came))
        const weight = this.#weights.get(key)
        return {
          project,
          permits,
          ...(priority === 'normal' ? {} : { priority }),
          ...(weight === undefined ? {} : { weight }),
        }
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
    for (const [key, { atMs }] of this.#best) {
      if (nowMs - atMs <= REMEMBERED_MS) continue
      this.#best.delete(key)
      this.#weights.delete(key)
    }
  }
}
