/** A limit that stays: how soon it is found, and how much of it is used. */
import { countBetween, secondsUntilPart } from '../../limiter/measure.ts'
import { useOfHiddenLimit } from '../hidden-limit.ts'
import { underLoad } from '../under-load.ts'
import type { Part } from './part.ts'

const RPS = 20

export const steady: Part = {
  name: 'steady',
  title: 'hidden 20/s',
  async run({ lab, isShort }) {
    const [firstS, thenS] = isShort ? [20, 20] : [60, 240]
    const load = { rps: RPS, initialRps: isShort ? RPS / 2 : 1, forS: firstS + thenS + 10 }
    return underLoad(await lab(), load, async ({ origin, pass }) => {
      const { log, model } = origin
      const sentFromMs = log.sentMs[0] ?? origin.nowMs()
      const fromMs = await pass(firstS)
      const toMs = await pass(thenS)
      const refused = countBetween(log.refusedMs, fromMs, toMs)
      const from1 = !isShort
      return {
        measures: [
          ...useOfHiddenLimit(log, model, fromMs, toMs),
          {
            name: 'to 90 % from 1/s',
            value: secondsUntilPart(log, model, 0.9, sentFromMs),
            unit: 's',
            ...(from1 ? { goal: { atMost: 45 } } : {}),
          },
          { name: 'refused in the first minute', value: log.refusedMs.length - refused, unit: '' },
        ],
      }
    })
  },
}
