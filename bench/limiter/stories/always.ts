/** What holds in every run, whatever happens. */
import type { Metrics } from '../metrics.ts'
import { MAX_IN_FLIGHT } from '../play.ts'
import type { Measure } from './story.ts'

/** Leases begin and end at whole microseconds. */
const ALMOST = 1e-3

export function always(metrics: Metrics): readonly Measure[] {
  return [
    invariant('sent in pause', metrics.sentInPause, 0, 'requests'),
    invariant('sent without lease', metrics.sentWithoutLease, 0, 'requests'),
    invariant('leased at once', metrics.mostLeased, 1 + ALMOST, 'of the rate'),
    invariant('in flight', metrics.mostInFlight, MAX_IN_FLIGHT, 'requests'),
  ]
}

function invariant(name: string, value: number, atMost: number, unit: string): Measure {
  return { name, value, unit, goal: { atMost, isInvariant: true } }
}
