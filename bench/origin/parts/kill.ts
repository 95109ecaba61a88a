/** kill -9 of the process that holds the lease and runs the limiter. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptedUnits, capacity } from '../../limiter/measure.ts'
import { median } from '../../median.ts'
import { longestGapS } from '../gaps.ts'
import type { Lab } from '../lab.ts'
import { limiterNow, type GrantedLease } from '../lease-book.ts'
import type { LoopbackOrigin } from '../loopback-origin.ts'
import { underLoad } from '../under-load.ts'
import type { Part } from './part.ts'

const RPS = 20
const COST_LIMIT_S = 3
/** Where the engine stands at that instant makes a second more or less. */
const KILLS = 3
/** Until a new process has its part of the work. */
const SETTLED_S = 15
/** That, its start, and the wait for a process that holds and hosts. */
const BETWEEN_S = 60
/** Over so long the cost is counted. */
const WATCH_S = 15
const LOOK_EVERY_MS = 100
/** Turns of the lease go round in less. */
const PATIENCE_MS = 120_000
/** A lease this young is still held. */
const YOUNG_MS = 700
/** An answer may be on its way from the socket into the database for this long. */
const STORING_MS = 2_000

export const kill: Part = {
  name: 'kill',
  title: 'kill -9 of the process with lease and limiter',
  async run({ lab, isShort }) {
    const [kills, warmS] = isShort ? [1, 20] : [KILLS, 45]
    const forS = warmS + kills * (WATCH_S + BETWEEN_S)
    const load = { rps: RPS, initialRps: RPS / 2, forS }
    return underLoad(await lab(), load, async ({ lab: open, origin, pass }) => {
      await pass(warmS)
      const deaths: Death[] = []
      for (let death = 0; death < kills; death += 1) {
        if (death > 0) {
          await open.restoreWorkers()
          await pass(SETTLED_S)
        }
        deaths.push(await killHolder(open, origin))
      }
      const costsS = deaths.map(({ costS }) => costS)
      const leaseS = median(deaths.map((death) => death.leaseS))
      return {
        measures: [
          {
            name: `cost beyond the lease of ${leaseS.toFixed(1)} s, median of ${kills}`,
            value: median(costsS),
            unit: 's',
            goal: { atMost: COST_LIMIT_S },
          },
          { name: 'cost beyond the lease, worst', value: Math.max(...costsS), unit: 's' },
          {
            name: 'longest silence, median',
            value: median(deaths.map(({ silenceS }) => silenceS)),
            unit: 's',
            goal: { atMost: leaseS + COST_LIMIT_S },
          },
        ],
        isLost: ({ worker, atMs }) =>
          deaths.some(
            ({ victim, atMs: diedMs }) => worker === victim && atMs > diedMs - STORING_MS,
          ),
      }
    })
  },
}

interface Death {
  readonly victim: string | undefined
  readonly atMs: number
  readonly leaseS: number
  /** Of the whole rate. */
  readonly costS: number
  readonly silenceS: number
}

async function killHolder(open: Lab, origin: LoopbackOrigin): Promise<Death> {
  const { pid, lease } = await holderThatHosts(open, origin.domain)
  const atMs = origin.nowMs()
  const victim = open.workerName(pid)
  await open.killWorker(pid)
  const endMs = atMs + WATCH_S * 1000
  await sleep(endMs - origin.nowMs())
  const { log, model } = origin
  const lost = capacity(model, atMs, endMs) - acceptedUnits(log, atMs, endMs)
  const accepted = log.accepted.map((one) => one.atMs)
  return {
    victim,
    atMs,
    leaseS: (lease.permits * lease.spacingMs) / 1000,
    costS: Math.max(0, lost - lease.permits) / RPS,
    silenceS: longestGapS(accepted, atMs, endMs),
  }
}

/** Waits until one process has just got a lease and ran the limiter last. */
async function holderThatHosts(
  { client, workerName }: Lab,
  domain: string,
): Promise<{ readonly pid: number; readonly lease: GrantedLease }> {
  const deadlineMs = performance.now() + PATIENCE_MS
  for (;;) {
    const { host, lastLease: lease } = await limiterNow(client, domain)
    const isYoung = lease !== undefined && Date.now() - lease.grantedMs < YOUNG_MS
    const pid = Number.parseInt(lease?.worker ?? '', 10)
    if (isYoung && lease.worker === host && workerName(pid) !== undefined) return { pid, lease }
    if (performance.now() > deadlineMs) {
      throw new Error(`for ${PATIENCE_MS} ms no process both held a lease and ran the limiter`)
    }
    await sleep(LOOK_EVERY_MS)
  }
}
