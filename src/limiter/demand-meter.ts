/** How many permits a process wants for the next slot, seen from who came in the last ones. */
import { DEMAND_MS } from '../core/limiter/broker-agenda.ts'
import type { ProjectWant } from '../core/limiter/protocol.ts'

/** What a message may carry. */
const MOST_PROJECTS = 16
const MOST_PERMITS = 10_000

export class DemandMeter {
  #slot = -Infinity
  #before = new Map<string, number>()
  #now = new Map<string, number>()

  count(project: string, nowMs: number): void {
    this.#turn(nowMs)
    this.#now.set(project, (this.#now.get(project) ?? 0) + 1)
  }

  /** @param waiting Projects of the callers in line. */
  wants(waiting: readonly string[], nowMs: number): readonly ProjectWant[] {
    this.#turn(nowMs)
    const projects = new Set([...waiting, ...this.#now.keys(), ...this.#before.keys()])
    return [...projects]
      .map((project) => {
        const inLine = waiting.filter((other) => other === project).length
        const came = Math.max(this.#now.get(project) ?? 0, this.#before.get(project) ?? 0)
        return { project, permits: Math.min(MOST_PERMITS, Math.max(inLine, came)) }
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
