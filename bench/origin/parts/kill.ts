/** kill -9 of the process that holds the lease and runs the limiter. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptedUnits, capacity } from '../../limiter/measure.ts'
import { longestGapS } from '../gaps.ts'
import type { Lab } from '../lab.ts'
import { limiterNow, type GrantedLease } from '../lease-book.ts'
import { underLoad } from '../under-load.ts'
import type { Part } from './part.ts'

const RPS = 20
const COST_LIMIT_S = 3
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
    const warmS = isShort ? 20 : 45
    const load = { rps: RPS, initialRps: RPS / 2, forS: warmS + 60 }
    return underLoad(await lab(), load, async ({ lab: open, origin, pass }) => {
      await pass(warmS)
      const { pid, lease } = await holderThatHosts(open, origin.domain)
      const killedMs = origin.nowMs()
      await open.killWorker(pid)
      const endMs = killedMs + WATCH_S * 1000
      await sleep(endMs - origin.nowMs())
      const { log, model } = origin
      const accepted = log.accepted.map(({ atMs }) => atMs)
      const possible = capacity(model, killedMs, endMs)
      const lost = possible - acceptedUnits(log, killedMs, endMs)
      const leaseS = (lease.permits * lease.spacingMs) / 1000
      const victim = open.workerName(pid)
      return {
        measures: [
          {
            name: `cost beyond the lease of ${leaseS.toFixed(1)} s`,
            value: Math.max(0, lost - lease.permits) / RPS,
            unit: 's',
            goal: { atMost: COST_LIMIT_S },
          },
          {
            name: 'longest silence',
            value: longestGapS(accepted, killedMs, endMs),
            unit: 's',
            goal: { atMost: leaseS + COST_LIMIT_S },
          },
        ],
        isLost: ({ worker, atMs }) => worker === victim && atMs > killedMs - STORING_MS,
      }
    })
  },
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
