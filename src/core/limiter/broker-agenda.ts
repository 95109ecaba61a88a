/**
 * What a broker says to a limiter next, and when. One function both decides and sets the alarm.
 *
 *  - callers wait and nothing is left of the leases: ask now
 *  - a lease will run out and callers came lately: ask at its renewal time
 *  - the leases are spent and all results are there: report now, since the limiter measures by them
 *  - requests are on their way, or results are untold: report, at least every two seconds
 *  - nobody came for a slot: release what is held
 */

/** Everything in ms of the broker's clock. */
export interface BrokerView {
  readonly waiting: number
  readonly permitsLeft: number
  readonly inFlight: number
  /** Results or unused permits the limiter has not been told of. */
  readonly untold: boolean
  /** The limiter believes that this process holds something. */
  readonly registered: boolean
  /** When the last caller came; −Infinity before the first. */
  readonly lastCallerMs: number
  readonly lastTalkMs: number
  readonly renewAtMs: number
  /** The limiter said no until then. */
  readonly askNotBeforeMs: number
  /** A message found no answer: none before this. */
  readonly retryAtMs: number
}

export interface Talk {
  readonly kind: 'acquire' | 'release'
  readonly atMs: number
}

/** A process is taken to want permits this long after its last caller. */
export const DEMAND_MS = 2_000
const REPORT_EVERY_MS = 2_000
/** Bounds the updates of one process to ten a second, whatever happens. */
const TALK_GAP_MS = 100

export function nextTalk(view: BrokerView, nowMs: number): Talk | null {
  const earliestMs = Math.max(view.retryAtMs, view.lastTalkMs + TALK_GAP_MS)
  const demandEndsMs = view.lastCallerMs + DEMAND_MS
  const wanted = view.waiting > 0 || nowMs < demandEndsMs
  const talks: Talk[] = []
  if (wanted) {
    const isUrgent = view.waiting > 0 && view.permitsLeft === 0
    const askAtMs = Math.max(earliestMs, view.askNotBeforeMs, isUrgent ? -Infinity : view.renewAtMs)
    if (view.waiting > 0 || askAtMs < demandEndsMs) talks.push({ kind: 'acquire', atMs: askAtMs })
  }
  if (view.waiting === 0 && (view.registered || (view.untold && view.inFlight === 0))) {
    talks.push({ kind: 'release', atMs: Math.max(earliestMs, demandEndsMs) })
  }
  if (view.inFlight > 0 || view.untold) {
    const isAllThere = view.permitsLeft === 0 && view.inFlight === 0
    const reportAtMs = Math.max(view.retryAtMs, view.lastTalkMs + REPORT_EVERY_MS)
    talks.push({ kind: 'acquire', atMs: isAllThere ? earliestMs : reportAtMs })
  }
  return talks.reduce<Talk | null>(
    (soonest, talk) => (soonest === null || talk.atMs < soonest.atMs ? talk : soonest),
    null,
  )
}
