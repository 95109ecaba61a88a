/** A limit that halves and doubles again. */
import { countBetween, secondsUntilPart, secondsUntilQuiet, usePct } from '../../limiter/measure.ts'
import { underLoad } from '../under-load.ts'
import type { Part } from './part.ts'

const RPS = 20
/** Refusals further apart than this are no more those of the change. */
const QUIET_MS = 10_000

export const change: Part = {
  name: 'change',
  title: 'hidden 20/s, then 10/s, then 20/s',
  async run({ lab, isShort }) {
    const [firstS, halfS, againS] = isShort ? [20, 15, 20] : [45, 60, 75]
    const load = { rps: RPS, initialRps: RPS / 2, forS: firstS + halfS + againS }
    return underLoad(await lab(), load, async ({ origin, pass }) => {
      const { log, model } = origin
      const dropMs = await pass(firstS)
      origin.setRps(RPS / 2)
      const riseMs = await pass(halfS)
      origin.setRps(RPS)
      const endMs = await pass(againS)
      return {
        measures: [
          {
            name: 'refused after the drop',
            value: countBetween(log.refusedMs, dropMs, riseMs),
            unit: '',
            goal: { atMost: 20 },
          },
          {
            name: 'quiet after the drop',
            value: secondsUntilQuiet(log, dropMs, QUIET_MS),
            unit: 's',
            goal: { atMost: 40 },
          },
          { name: 'use of the half', value: usePct(log, model, dropMs, riseMs), unit: '%' },
          {
            name: 'to 90 % after the rise',
            value: secondsUntilPart(log, model, 0.9, riseMs),
            unit: 's',
            ...(isShort ? {} : { goal: { atMost: 60 } }),
          },
          { name: 'use after the rise', value: usePct(log, model, riseMs, endMs), unit: '%' },
        ],
      }
    })
  },
}
