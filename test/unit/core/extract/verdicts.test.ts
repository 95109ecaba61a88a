import { describe, expect, it } from 'vitest'
import { type AbsenceFacts, judgeAbsence } from '../../../../src/core/extract/absence-rule.ts'
import { judgeListing, type ListingFacts } from '../../../../src/core/extract/listing-verdict.ts'
import {
  checkConfig,
  steadyRate,
  suggestedWorkers,
} from '../../../../src/core/extract/parallel-config.ts'

const whole: ListingFacts = {
  failedPages: 0,
  problem: null,
  rows: 50,
  distinctIds: 50,
  rowsWithoutId: 0,
  firstTotal: 50,
  lastTotal: 50,
  hasShortPage: false,
}

it.each<[Partial<ListingFacts>, string, string | null]>([
  [{}, 'complete', null],
  [{ firstTotal: null, lastTotal: null }, 'complete', null],
  [{ problem: 'pagination_loop' }, 'incomplete', 'pagination_loop'],
  [{ failedPages: 1 }, 'incomplete', 'pages_failed'],
  [{ rowsWithoutId: 2 }, 'incomplete', 'no_id'],
  [{ distinctIds: 49 }, 'unstable', 'repeated_ids'],
  [{ firstTotal: 51 }, 'unstable', 'total_changed'],
  [{ firstTotal: 60, lastTotal: 60 }, 'unstable', 'total_differs'],
  [{ hasShortPage: true }, 'unstable', 'short_page'],
])('a list with %j is %s', (facts, state, code) => {
  expect(judgeListing({ ...whole, ...facts })).toMatchObject({ state, code })
})

describe('records that a list no longer has', () => {
  const few: AbsenceFacts = {
    state: 'complete',
    present: 100,
    missing: 20,
    missingTwice: 0,
    listed: 80,
    canMiss: false,
    isPartial: false,
    mostAbsentPercent: 20,
  }

  it.each<[string, Partial<AbsenceFacts>, string, string | null]>([
    ['are marked up to the share that is allowed', {}, 'all', null],
    ['are not, above it', { missing: 21 }, 'none', 'too_many_absent'],
    [
      'are, however many, where all are allowed',
      { missing: 99, mostAbsentPercent: 100 },
      'all',
      null,
    ],
    ['are not, where none may be', { missing: 1, mostAbsentPercent: 0 }, 'none', 'too_many_absent'],
    ['are not by an empty list', { listed: 0, missing: 100 }, 'none', 'empty_list'],
    [
      'are never marked by a list of what changed',
      { isPartial: true, mostAbsentPercent: 100 },
      'none',
      null,
    ],
    ['are not by an unstable list', { state: 'unstable' }, 'none', 'list_incomplete'],
    ['are not by an incomplete list', { state: 'incomplete' }, 'none', 'list_incomplete'],
    [
      'wait for a second run where one may have been missed',
      { canMiss: true },
      'missing_twice',
      'unconfirmed',
    ],
    ['are marked by the second run', { canMiss: true, missingTwice: 20 }, 'missing_twice', null],
  ])('%s', (_, facts, marks, code) => {
    expect(judgeAbsence({ ...few, ...facts })).toEqual({ marks, code })
  })
})

describe('the configuration', () => {
  it('has the defaults of the source document, and one worker', () => {
    expect(checkConfig({})).toEqual({
      problems: [],
      config: {
        workers: 1,
        queueSize: 100,
        batchSize: 100,
        rateLimitPerMinute: 100,
        rateLimitPerSecond: 10,
        adaptiveRateLimiting: true,
      },
    })
    expect(checkConfig({ workers: 8 }).config.queueSize).toBe(800)
    expect([1, 4, 64].map(suggestedWorkers)).toEqual([1, 4, 8])
  })

  it('names every violation at once', () => {
    const { problems } = checkConfig({
      workers: 51,
      queueSize: 509,
      batchSize: 9,
      rateLimitPerMinute: 5,
      rateLimitPerSecond: 6,
    })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'workers',
      'batchSize',
      'queueSize',
      'rateLimitPerSecond',
    ])
    expect(checkConfig({ rateLimitPerMinute: 0 }).problems).toHaveLength(2)
    expect(checkConfig({ workers: 50, queueSize: 500, batchSize: 1000 }).problems).toEqual([])
  })

  it('makes one steady rate of both limits', () => {
    const { config } = checkConfig({ rateLimitPerMinute: 600, rateLimitPerSecond: 5 })
    expect(steadyRate(config)).toBe(5)
    expect(steadyRate(checkConfig({}).config)).toBeCloseTo(1.67)
  })
})
