/**
 * What processes really have on their way, told apart from what the limiter believes: they fill their caps as far as
 * they may, replies get lost and come again, and processes die with all they had.
 */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { currentInFlight } from '../../../../src/core/limiter/current-rate.ts'
import type { AcquireRequest, LeaseGrant } from '../../../../src/core/limiter/protocol.ts'
import { reportFor } from '../../../support/lease-report.ts'
import { LimiterAt } from './limiter-at.ts'

interface Held {
  readonly lease: LeaseGrant
  readonly voidMs: number
  left: number
}

/** A broker that knows what it was told, and repeats what found no answer. */
class Process {
  inFlight = 0
  cap = 0
  held: Held[] = []
  #heardMs = 0
  /** Requests that have ended and were not told yet, by lease. */
  #ended = new Map<LeaseGrant, number>()
  readonly #sent: LeaseGrant[] = []
  #sequences = new Map<string, number>()
  #open: { readonly request: Partial<AcquireRequest>; readonly atMs: number } | undefined
  #asks = 0
  readonly #limiter: LimiterAt
  readonly #name: string

  constructor(limiter: LimiterAt, name: string) {
    this.#limiter = limiter
    this.#name = name
  }

  /** A process says at least every two seconds what it has on its way. */
  get mustTalk(): boolean {
    return this.inFlight > 0 && this.#limiter.nowMs - this.#heardMs >= 1500
  }

  ask(permits: number, isReplyLost: boolean): void {
    const { nowMs } = this.#limiter
    this.#open ??= { request: this.#request(permits), atMs: nowMs }
    const { request, atMs } = this.#open
    const reply = this.#limiter.acquire(this.#name, 0, { ...request, inFlight: this.inFlight })
    if (isReplyLost) return
    this.#heardMs = nowMs
    this.#open = undefined
    if (!reply.granted) {
      if (reply.revoked) this.held = []
      return
    }
    this.cap = reply.inFlightCap
    this.held.push({ lease: reply, voidMs: atMs + reply.ttlMs, left: reply.permits })
  }

  /** As many as it may, at most. */
  send(most: number): void {
    const { nowMs } = this.#limiter
    for (let sent = 0; sent < most && this.inFlight < this.cap; sent += 1) {
      const first = this.held.find(({ left, voidMs }) => left > 0 && nowMs < voidMs)
      if (first === undefined) return
      first.left -= 1
      this.inFlight += 1
      this.#sent.push(first.lease)
    }
  }

  end(most: number): void {
    for (const lease of this.#sent.splice(0, most)) {
      this.inFlight -= 1
      this.#ended.set(lease, (this.#ended.get(lease) ?? 0) + 1)
    }
  }

  #request(permits: number): Partial<AcquireRequest> {
    this.#asks += 1
    const reports = [...this.#ended].map(([lease, ok]) => {
      const sequence = (this.#sequences.get(lease.leaseId) ?? 0) + 1
      this.#sequences.set(lease.leaseId, sequence)
      return reportFor(lease, { ok, sequence })
    })
    this.#ended.clear()
    const wants = permits > 0 ? [{ project: '1', permits }] : []
    const requestId = `${this.#name}-${this.#asks}`
    return { wants, inFlight: this.inFlight, reports, requestId }
  }
}

const names = ['a', 'b', 'c', 'd']
const worker = fc.constantFrom(...names)
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      worker,
      count: fc.nat(60),
      isReplyLost: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), worker, count: fc.nat(12) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('end' as const), worker, count: fc.nat(8) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), worker }) },
)
const policy = fc.record({
  maxRps: fc.double({ min: 0.2, max: 400, noNaN: true }),
  maxInFlight: fc.integer({ min: 1, max: 12 }),
})

it('requests on their way are never more than the cap, though replies get lost and processes die', () => {
  let fullest = 0
  fc.assert(
    fc.property(fc.array(happening, { minLength: 10, maxLength: 120 }), policy, (story, limits) => {
      const limiter = new LimiterAt(limits)
      const processes = new Map(names.map((name) => [name, new Process(limiter, name)]))
      let births = 0
      for (const event of story) {
        const name = event.kind === 'wait' ? undefined : event.worker
        const it = name === undefined ? undefined : processes.get(name)
        switch (event.kind) {
          case 'ask':
            it?.ask(event.count, event.isReplyLost)
            break
          case 'send':
            it?.send(event.count)
            break
          case 'end':
            it?.end(event.count)
            break
          case 'die':
            // Its connections end with it; a new one takes its place under another name.
            births += 1
            processes.set(event.worker, new Process(limiter, `${event.worker}-${births}`))
            break
          case 'wait':
            limiter.nowMs += event.ms
            for (const one of processes.values()) if (one.mustTalk) one.ask(0, false)
        }
        const taken = [...processes.values()].reduce((sum, one) => sum + one.inFlight, 0)
        expect(taken).toBeLessThanOrEqual(currentInFlight(limiter.state))
        fullest = Math.max(fullest, taken / currentInFlight(limiter.state))
      }
    }),
    { numRuns: 300 },
  )
  expect(fullest).toBe(1)
})

it('a process may fill the cap it knows until it has heard of a smaller one', () => {
  const limiter = new LimiterAt({ maxRps: 1000, maxInFlight: 4 })
  expect(limiter.granted('a', 1000).inFlightCap).toBe(4)
  limiter.acquire('b', 1000)
  limiter.nowMs += 1000
  // This reply is lost, so all four may be on their way a moment later.
  expect(limiter.granted('a', 1000, { requestId: 'a-renewal' }).inFlightCap).toBe(2)
  expect(limiter.acquire('b', 1000)).toMatchObject({ granted: false, reason: 'in_flight' })
  limiter.granted('a', 1000, { requestId: 'a-renewal' })
  limiter.nowMs += 1000
  limiter.granted('a', 1000, { inFlight: 2 })
  expect(limiter.granted('b', 1000).inFlightCap).toBe(2)
})
