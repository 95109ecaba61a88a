/** kill -9 of the Temporal server, which is back only a minute later. */
import { acceptedUnits, countBetween } from '../../limiter/measure.ts'
import { secondsUntilSpan } from '../gaps.ts'
import type { Arrival } from '../loopback-origin.ts'
import { questionsOf } from '../questions.ts'
import { underLoad, type Busy } from '../under-load.ts'
import type { Part } from './part.ts'

const RPS = 20
const BACK_WITHIN_S = 10
/** Full speed: nine tenths of the limit over so long. */
const FULL = { spanMs: 5_000, part: 0.9 }
/** An answer may be on its way from the socket into the database for this long. */
const STORING_MS = 2_000

export const temporalAway: Part = {
  name: 'temporal-away',
  title: 'kill -9 of Temporal, back after a minute',
  async run({ lab, isShort }) {
    const [warmS, awayS, thenS] = isShort ? [15, 15, 20] : [45, 60, 30]
    const load = { rps: RPS, initialRps: RPS / 2, forS: warmS + awayS + thenS + 10 }
    return underLoad(await lab(), load, async (busy) => {
      const { lab: open, origin, pass } = busy
      await pass(warmS)
      const goneMs = origin.nowMs()
      await open.temporal.kill()
      await pass(awayS)
      const notStored = await answersNotStored(busy, goneMs)
      await open.temporal.start()
      const backMs = origin.nowMs()
      const endMs = await pass(thenS)
      const accepted = origin.log.accepted.map(({ atMs }) => atMs)
      return {
        silent: { fromMs: goneMs, toMs: backMs },
        measures: [
          {
            name: 'full speed after its return',
            value: secondsUntilSpan(accepted, { fromMs: backMs, toMs: endMs, rate: RPS, ...FULL }),
            unit: 's',
            goal: { atMost: BACK_WITHIN_S },
          },
          {
            name: 'accepted while away',
            value: acceptedUnits(origin.log, goneMs, backMs),
            unit: '',
          },
          {
            name: 'refused while away',
            value: countBetween(origin.log.refusedMs, goneMs, backMs),
            unit: '',
          },
          {
            name: 'answers not stored while away',
            value: notStored,
            unit: '',
            goal: { atMost: 0 },
          },
        ],
      }
    })
  },
}

/** Answers that left the origin while the server was away and are not in the database now. */
async function answersNotStored({ lab, origin }: Busy, fromMs: number): Promise<number> {
  const untilMs = origin.nowMs() - STORING_MS
  const isDue = ({ atMs, status, request }: Arrival): boolean =>
    status === 200 && request.answered && atMs >= fromMs && atMs < untilMs
  const answered = new Set(origin.arrivals.filter(isDue).flatMap(questionsOf))
  const rows = await lab.db
    .selectFrom('lookup')
    .select(['service', 'query'])
    .where('status', '=', 'answered')
    .where('service', 'like', `%${origin.domain}%`)
    .execute()
  for (const { service, query } of rows) {
    answered.delete(`${new URL(service).pathname} ${query.query}`)
  }
  return answered.size
}
