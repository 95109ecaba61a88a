/** What a worker tells of how things stand: which series there are, and when they end. */
import { describe, expect, it } from 'vitest'
import { type MetricTags, noopMetricMeter } from '@temporalio/common'
import type { DomainSnapshot } from '../../../src/core/limiter/protocol.ts'
import { boundedLabel, MOST_NAMES, OTHER_NAMES } from '../../../src/core/metrics/bounded-label.ts'
import { standingMetrics } from '../../../src/core/metrics/standing-metrics.ts'
import type { DomainLimit } from '../../../src/db/domain-limits.repo.ts'
import type { RunMark } from '../../../src/db/work-standing.repo.ts'
import { domainReadings, MOST_DOMAINS } from '../../../src/workers/metrics/domain-readings.ts'
import { createGaugeBoard } from '../../../src/workers/metrics/gauge-board.ts'
import { queueReadings } from '../../../src/workers/metrics/queue-readings.ts'
import { createRunSilence } from '../../../src/workers/metrics/run-silence.ts'

it('what is told no more is 0, and not what it was for ever', () => {
  const told: (readonly [string, number, MetricTags | undefined])[] = []
  const board = createGaugeBoard({
    createGauge: (name, ...rest) => ({
      ...noopMetricMeter.createGauge(name, ...rest),
      set: (value, tags) => void told.push([name, value, tags]),
    }),
  })
  const metric = standingMetrics.downloadDepth
  board.tell('queues', [{ metric, value: 3, labels: { queue: 'a', state: 'queued' } }])
  board.tell('others', [])
  board.tell('queues', [{ metric, value: 5, labels: { state: 'queued', queue: 'b' } }])
  const { name } = metric
  expect(told).toEqual([
    [name, 3, { queue: 'a', state: 'queued' }],
    [name, 5, { state: 'queued', queue: 'b' }],
    [name, 0, { queue: 'a', state: 'queued' }],
  ])
})

it('names that people give have a label of their own as long as they are few', () => {
  const labelOf = boundedLabel()
  const depths = Array.from({ length: MOST_NAMES + 2 }, (_, n) => [
    { queue: `q${n}`, state: 'queued', jobs: 1 },
    { queue: `q${n}`, state: 'in_progress', jobs: 2 },
  ]).flat()
  const readings = queueReadings(depths, labelOf)
  expect(readings).toHaveLength(2 * (MOST_NAMES + 1))
  const ofOthers = readings.filter(({ labels }) => labels?.['queue'] === OTHER_NAMES)
  expect(ofOthers.map(({ labels, value }) => [labels?.['state'], value])).toEqual([
    ['queued', 2],
    ['in_progress', 4],
  ])
  // Who has one keeps it, whoever else comes.
  expect([labelOf('q0'), labelOf('another')]).toEqual(['q0', OTHER_NAMES])
})

describe('the silence of runs', () => {
  const mark: RunMark = {
    job: 'match',
    runId: 1,
    left: 9,
    openTasks: 2,
    lastAnswerMs: 5,
    isPaused: false,
  }

  it('lasts as long as nothing of a run changes, and is that of the quietest', () => {
    let nowMs = 0
    const silence = createRunSilence(() => nowMs)
    const other = { ...mark, runId: 2 }
    expect(silence([mark, other]).get('match')).toBe(0)
    nowMs = 60_000
    expect(silence([{ ...mark, left: 8 }, other]).get('match')).toBe(60)
    nowMs = 90_000
    expect(silence([{ ...mark, left: 8 }]).get('match')).toBe(30)
    expect(silence([]).get('match')).toBeUndefined()
  })

  it('is none of a run that a person paused, nor right after it goes on', () => {
    let nowMs = 0
    const silence = createRunSilence(() => nowMs)
    const paused = { ...mark, isPaused: true }
    silence([paused])
    nowMs = 600_000
    expect(silence([paused]).get('match')).toBe(0)
    nowMs = 700_000
    expect(silence([mark]).get('match')).toBe(0)
  })
})

describe('limiters', () => {
  it('have a label each when they are configured, at most fifty, and one label otherwise', () => {
    const limits = Array.from({ length: MOST_DOMAINS + 10 }, (_, at) =>
      limitOf(`host${at}.example`),
    )
    const readings = domainReadings(
      [...limits, limitOf('elsewhere.example'), limitOf('nowhere.example')],
      ({ domain }) => domain.startsWith('host'),
    )
    const domains = new Set(readings.map(({ labels }) => labels?.['domain']))
    expect(domains.size).toBe(MOST_DOMAINS + 1)
    expect(domains).toContain('other')
    expect(domains).not.toContain('elsewhere.example')
    const ofOthers = readings.find(
      ({ metric, labels }) => metric === standingMetrics.sent && labels?.['domain'] === 'other',
    )
    expect(ofOthers?.value).toBe(12 * 7)
  })

  it('show a breaker as open while it is tried again, and not for ever when nobody asks any more', () => {
    const open = (ageMs: number) => {
      const limit = limitOf('a.example', { state: 'half_open', nextEarliest: 30_000 }, ageMs)
      const readings = domainReadings([limit], () => true)
      return readings.find(({ metric }) => metric === standingMetrics.breakerOpen)?.value
    }
    expect(open(0)).toBe(1)
    expect(open(60_000)).toBe(1)
    expect(open(3_600_000)).toBe(0)
  })

  it('have nothing on its way when they were not heard of for a minute', () => {
    const inFlight = (ageMs: number) =>
      domainReadings([limitOf('a.example', {}, ageMs)], () => true).find(
        ({ metric }) => metric === standingMetrics.inFlight,
      )?.value
    expect([inFlight(5_000), inFlight(120_000)]).toEqual([2, 0])
  })
})

function limitOf(
  domain: string,
  changes: Partial<DomainSnapshot> = {},
  ageMs: number = 0,
): DomainLimit {
  const snapshot: DomainSnapshot = {
    domain,
    fillRate: 4,
    tokens: 1,
    avgLatency: null,
    p95Latency: null,
    errorRate: 0,
    state: 'closed',
    consecutiveFails: 0,
    nextEarliest: 0,
    strategy: 'adaptive',
    mode: 'hold',
    inFlight: 2,
    inFlightCap: 5,
    waiting: 1,
    totalRequests: 7,
    throttledRequests: 0,
    denied: 0,
    retries: 0,
    refusedRequests: 3,
    hold: null,
    parkedForMs: null,
    pausedBecause: null,
    workers: 1,
    ...changes,
  }
  return { domain, policy: null, pausedBecause: null, snapshot, ageMs }
}
