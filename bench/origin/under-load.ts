/** A match that keeps an origin busy, and what must hold in it whatever happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measure } from '../limiter/stories/story.ts'
import type { Lab } from './lab.ts'
import { grantedLeases, type GrantedLease } from './lease-book.ts'
import { sentOnNoAuthority, sentWithoutLease, type Silence } from './lease-check.ts'
import { startLoopbackOrigin, type Arrival, type LoopbackOrigin } from './loopback-origin.ts'
import { askedAgain } from './questions.ts'

export interface Load {
  /** What the origin accepts per second at first. */
  readonly rps: number
  /** What the limiter is told to begin with. */
  readonly initialRps: number
  /** How long the records must last at that rate. */
  readonly forS: number
}

export interface Busy {
  readonly lab: Lab
  readonly origin: LoopbackOrigin
  /** Project that asks it. */
  readonly project: number
  /** Waits so long. @returns the origin's time then */
  readonly pass: (seconds: number) => Promise<number>
}

export interface Outcome {
  readonly measures: readonly Measure[]
  /** When the limiter was silent, on the origin's clock. */
  readonly silent?: { readonly fromMs: number; readonly toMs: number }
  /** Whether an answer may have gone with the process that asked. */
  readonly isLost?: (arrival: Arrival) => boolean
}

/** A search that goes too far by less than a doubling sends so much more. */
const SPARE = 1.2
/** What the wire, the server's event loop and a slow machine may add to an instant. */
const SLACK_MS = 1_000
/** Loopback is asked at 100/s by default, which would leave nothing to learn. */
const MAX_RPS = 1_000

export async function underLoad(
  lab: Lab,
  { rps, initialRps, forS }: Load,
  use: (busy: Busy) => Promise<Outcome>,
): Promise<readonly Measure[]> {
  await lab.restoreWorkers()
  const origin = await startLoopbackOrigin(rps)
  try {
    const rates = ['--initial-rps', `${initialRps}`, '--max-rps', `${MAX_RPS}`]
    await lab.run('limits', 'set', origin.domain, ...rates)
    const project = await lab.match(origin, Math.ceil(rps * forS * SPARE))
    const pass = async (seconds: number): Promise<number> => {
      await sleep(seconds * 1000)
      return origin.nowMs()
    }
    const outcome = await use({ lab, origin, project, pass })
    await lab.cancel(project)
    return [...outcome.measures, ...(await always(lab, origin, outcome))]
  } finally {
    await origin.close()
  }
}

async function always(
  lab: Lab,
  origin: LoopbackOrigin,
  { silent, isLost }: Outcome,
): Promise<readonly Measure[]> {
  const leases = await grantedLeases(lab.client, origin.domain)
  const spans = leases.map((lease) => ({
    worker: nameOf(lab, lease),
    permits: lease.permits,
    fromMs: lease.grantedMs - origin.bornMs,
    toMs: lease.grantedMs - origin.bornMs + lease.ttlMs,
  }))
  const lone = sentWithoutLease(origin.arrivals, spans, SLACK_MS)
  const silences = silent === undefined ? new Map() : silencesOf(lab, origin, leases, silent)
  const unlawful = sentOnNoAuthority(lone, silences, SLACK_MS)
  const again = askedAgain(origin.arrivals, isLost).length
  return [
    ...(silent === undefined ? [] : [plain('sent in safe mode', lone.length - unlawful)]),
    { ...plain('sent outside a lease or safe mode', unlawful), goal: { atMost: 0 } },
    { ...plain('answered and asked again', again), goal: { atMost: 0 } },
  ]
}

/** Silent to a process is a limiter until its next grant to it. */
function silencesOf(
  lab: Lab,
  origin: LoopbackOrigin,
  leases: readonly GrantedLease[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): ReadonlyMap<string, Silence> {
  const at = ({ grantedMs }: GrantedLease): number => grantedMs - origin.bornMs
  return new Map(
    leases
      .filter((lease) => at(lease) < fromMs)
      .map((lease): [string, Silence] => {
        const { worker, safeRate } = lease
        const next = leases.find((other) => other.worker === worker && at(other) > toMs)
        const untilMs = next === undefined ? origin.nowMs() : at(next)
        return [nameOf(lab, lease), { fromMs, toMs: untilMs, safeRate }]
      }),
  )
}

function nameOf(lab: Lab, { worker }: GrantedLease): string {
  return lab.workerName(Number.parseInt(worker, 10)) ?? worker
}

function plain(name: string, value: number): Measure {
  return { name, value, unit: 'requests' }
}
