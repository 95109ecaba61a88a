/**
 * A limiter that falls silent, seen by brokers with a driver of their own, which asks all the time: a
 * match stops asking when its server is away, since nobody hands out tasks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measure } from '../../limiter/stories/story.ts'
import { acceptedUnits, countBetween } from '../../limiter/measure.ts'
import { driveBrokers } from '../driven-brokers.ts'
import { startLoopbackOrigin } from '../loopback-origin.ts'
import type { Part } from './part.ts'

const RPS = 20
/** The limiter's own rate, fixed: nothing here is about learning. */
const GRANTED_RPS = 18
const PROCESSES = 3
/** Leases are spent and the silence is noticed by then. */
const BEGINS_S = 8
/** The first halving comes 30 s after the silence, the second after 60 s, in each process by its own clock. */
const HALVED_S = { fromS: 38, toS: 58 }

export const safeMode: Part = {
  name: 'safe-mode',
  title: 'limiter silent, brokers driven on',
  async run({ isShort }) {
    const origin = await startLoopbackOrigin(RPS)
    const driven = driveBrokers(origin.url, { processes: PROCESSES, rps: GRANTED_RPS })
    try {
      await driven.granted
      driven.silence()
      const fromMs = origin.nowMs()
      await sleep((isShort ? 25 : HALVED_S.toS) * 1000)
      const { log } = origin
      const partOf = (rps: number, fromS: number, toS: number): number =>
        (100 * acceptedUnits(log, fromMs + fromS * 1000, fromMs + toS * 1000)) /
        (rps * (toS - fromS))
      const safeRps = driven.safeRps()
      return [
        { name: 'safe rate named, all processes', value: safeRps, unit: 'requests/s' },
        nearly('of it sent, 8 s to 25 s', partOf(safeRps, BEGINS_S, 25)),
        ...(isShort
          ? []
          : [
              nearly(
                'of its half, 38 s to 58 s',
                partOf(safeRps / 2, HALVED_S.fromS, HALVED_S.toS),
              ),
            ]),
        {
          name: 'refused while silent',
          value: countBetween(log.refusedMs, fromMs, origin.nowMs()),
          unit: 'requests',
          goal: { atMost: 0 },
        },
      ]
    } finally {
      await driven.stop()
      await origin.close()
    }
  },
}

/** A request more or less at either end is no fault. */
function nearly(name: string, value: number): Measure {
  return { name, value, unit: '%', goal: { atLeast: 90, atMost: 103 } }
}
