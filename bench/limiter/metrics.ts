/** The numbers every run has. */
import { countBetween, secondsUntilPart, usePct, worstJain } from './measure.ts'
import { MINUTE_MS, PROJECTS, type Played } from './play.ts'

export interface Metrics {
  /** Accepted of what could have been, in percent, once converged. */
  readonly use: number
  /** Of 1000 requests sent since converged, those refused while the origin accepted any at all. */
  readonly refusedPer1000: number
  readonly refusedPer15Min: number
  /** From the start, also while nobody could have been accepted. */
  readonly refusedInAll: number
  readonly to90S: number
  readonly to95S: number
  /** Worst minute. */
  readonly jainProjects: number
  /** Worst ten minutes, of the processes that were there from the start and live. */
  readonly jainWorkers: number
  readonly p95LatencyMs: number
  readonly mostInFlight: number
  readonly mostLeased: number
  readonly sentInPause: number
  readonly sentWithoutLease: number
  readonly updatesPerHour: number
  readonly breakerOpens: number
  readonly breakerCloses: number
}

/** Converged: after the first two minutes, twice what the goals allow for finding the rate. */
export const CONVERGED_MS = 120_000

export function metricsOf(
  { log, origin, world, endMs }: Played,
  weightOf: (project: string) => number = () => 1,
): Metrics {
  const fromMs = Math.min(CONVERGED_MS, endMs / 2)
  const refusedMs = log.refusedMs.filter((ms) => origin.rateAt(ms) > 0)
  const refused = countBetween(refusedMs, fromMs, endMs)
  const sent = countBetween(log.sentMs, fromMs, endMs)
  const states = log.breaker.map(({ state }) => state)
  const workers = world.processes.filter(({ isDead }) => !isDead).map(({ name }) => name)
  const minute = { fromMs, toMs: endMs, lengthMs: MINUTE_MS }
  return {
    use: usePct(log, origin, fromMs, endMs),
    refusedPer1000: (1000 * refused) / Math.max(1, sent),
    refusedPer15Min: (refused * 15 * MINUTE_MS) / (endMs - fromMs),
    refusedInAll: log.refusedMs.length,
    to90S: secondsUntilPart(log, origin, 0.9, 0),
    to95S: secondsUntilPart(log, origin, 0.95, 0),
    jainProjects: worstJain(log, ({ project }) => project, PROJECTS, minute, weightOf),
    jainWorkers: worstJain(log, ({ worker }) => worker, workers, {
      ...minute,
      lengthMs: 10 * MINUTE_MS,
    }),
    p95LatencyMs: quantile(log.latencyMs, 0.95),
    mostInFlight: log.mostInFlight,
    mostLeased: log.mostLeased,
    sentInPause: log.sentInPause,
    sentWithoutLease: log.sentWithoutLease,
    updatesPerHour: (log.updates * 60 * MINUTE_MS) / endMs,
    breakerOpens: states.filter((state) => state === 'open').length,
    breakerCloses: states.filter((state) => state === 'closed').length,
  }
}

/** @returns 0 for none. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
