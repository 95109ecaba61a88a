/** What a server accepts, measured between two refusals. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  countAccepted,
  countLate,
  lastMeasuredRps,
  leastRps,
  markEvent,
  measuredRps,
  newMeasure,
  type Measure,
} from '../../../../src/core/limiter/limit-measure.ts'

const accepted = (measure: Measure, count: number, leaseStartMs: number): Measure =>
  countAccepted(measure, { accepted: count, leaseRps: 20, leaseStartMs })

const refusedAt0 = markEvent(newMeasure, 0)

it('is what was accepted, divided by the time', () => {
  expect(measuredRps(newMeasure, 10_000)).toBe(0)
  expect(measuredRps(accepted(refusedAt0, 200, 0), 10_000)).toBeCloseTo(20, 9)
})

it('leaves out silence the server could not save up, and only that', () => {
  const after = (silentMs: number, burstMs: number) =>
    measuredRps(accepted({ ...refusedAt0, burstMs }, 180, silentMs), 10_000)
  expect(after(1_000, 1_000)).toBeCloseTo(18, 9)
  expect(after(1_000, 0)).toBeCloseTo(20, 9)
  expect(after(3_000, 1_000)).toBeCloseTo(180 / 8, 9)
})

it('is not ended in silence by the one permit that found the server open again', () => {
  const probed = countAccepted(refusedAt0, { accepted: 1, leaseRps: 0, leaseStartMs: 500 })
  expect(probed.resumedMs).toBeNull()
  expect(accepted(probed, 5, 900).resumedMs).toBe(900)
})

it('takes what is reported late to the side of the event it was sent on', () => {
  const marked = markEvent(accepted(refusedAt0, 180, 0), 10_000)
  const late = countLate(marked, { accepted: 40, fromMs: 9_000, toMs: 11_000 })
  expect(late.accepted).toBeCloseTo(20, 9)
  expect(lastMeasuredRps(late)).toBeCloseTo(20, 9)
  expect(countLate(newMeasure, { accepted: 9, fromMs: 0, toMs: 1 })).toEqual(newMeasure)
})

it('never finds more than the limit of a bucket, whatever it saves up and however it is asked', () => {
  const rate = fc.double({ min: 1, max: 50, noNaN: true })
  const phase = fc.record({ rps: rate, forMs: fc.integer({ min: 500, max: 20_000 }) })
  fc.assert(
    fc.property(
      rate,
      fc.double({ min: 1, max: 200, noNaN: true }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.array(phase, { minLength: 1, maxLength: 5 }),
      (limitRps, cap, silentMs, phases) => {
        let [nowMs, credit, count] = [silentMs, Math.min(cap, (limitRps * silentMs) / 1000), 0]
        for (const { rps, forMs } of [...phases, { rps: limitRps * 1.5, forMs: 1e9 }]) {
          const untilMs = nowMs + forMs
          while (nowMs < untilMs) {
            nowMs += 1000 / rps
            credit = Math.min(cap, credit + limitRps / rps)
            if (credit < 1) break
            credit -= 1
            count += 1
          }
          if (credit < 1) break
        }
        const measure = accepted(refusedAt0, count, silentMs)
        expect(leastRps(measure, nowMs)).toBeLessThanOrEqual(limitRps + 1000 / nowMs + 1e-9)
      },
    ),
    { numRuns: 60 },
  )
})
