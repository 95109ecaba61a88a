/**
 * The source document's ParallelConfig, under its names, with its defaults and bounds. Where it contradicts itself,
 * `docs/extract.md` says what was chosen.
 */
export interface ParallelConfig {
  /** Pages in flight at once in the whole run, 1 to 50. */
  readonly workers: number
  /** Pages that may lie beyond the first one not stored yet; at least ten times the workers. */
  readonly queueSize: number
  /** Items asked for per page, 10 to 1,000. */
  readonly batchSize: number
  readonly rateLimitPerMinute: number
  readonly rateLimitPerSecond: number
  /** The rate found by the limiter, below the limits; false: kept as given. */
  readonly adaptiveRateLimiting: boolean
}

const MOST_WORKERS = 50
const QUEUE_PER_WORKER = 10
const DEFAULT_QUEUE_PER_WORKER = 100

/** One page at a time unless more are wanted. */
const DEFAULT_WORKERS = 1

export interface CheckedConfig {
  readonly config: ParallelConfig
  /** Every violation, each with what was found and what is expected. */
  readonly problems: readonly string[]
}

/** Fills in what is not given, and checks all of it. */
export function checkConfig(given: Partial<ParallelConfig>): CheckedConfig {
  const workers = given.workers ?? DEFAULT_WORKERS
  const config: ParallelConfig = {
    workers,
    queueSize: given.queueSize ?? workers * DEFAULT_QUEUE_PER_WORKER,
    batchSize: given.batchSize ?? 100,
    rateLimitPerMinute: given.rateLimitPerMinute ?? 100,
    // A limit per minute below the default per second is meant.
    rateLimitPerSecond: given.rateLimitPerSecond ?? Math.min(10, given.rateLimitPerMinute ?? 10),
    adaptiveRateLimiting: given.adaptiveRateLimiting ?? true,
  }
  return { config, problems: problemsOf(config) }
}

function problemsOf(config: ParallelConfig): readonly string[] {
  const { queueSize, rateLimitPerMinute, rateLimitPerSecond } = config
  const leastQueue = config.workers * QUEUE_PER_WORKER
  return [
    outside('workers', config.workers, 1, MOST_WORKERS),
    outside('batchSize', config.batchSize, 10, 1000),
    Number.isInteger(queueSize) && queueSize >= leastQueue
      ? null
      : `queueSize is ${queueSize}, expected a whole number from ${leastQueue} (ten times the workers)`,
    rateLimitPerMinute > 0
      ? null
      : `rateLimitPerMinute is ${rateLimitPerMinute}, expected more than 0`,
    rateLimitPerSecond > 0 && rateLimitPerSecond <= rateLimitPerMinute
      ? null
      : `rateLimitPerSecond is ${rateLimitPerSecond}, expected more than 0 and at most rateLimitPerMinute (${rateLimitPerMinute})`,
  ].filter((problem) => problem !== null)
}

function outside(name: string, value: number, least: number, most: number): string | null {
  return Number.isInteger(value) && value >= least && value <= most
    ? null
    : `${name} is ${value}, expected a whole number from ${least} to ${most}`
}

/** Both limits as one steady rate, requests per second. */
export function steadyRate(config: ParallelConfig): number {
  return Math.min(config.rateLimitPerSecond, config.rateLimitPerMinute / 60)
}

/** What a machine can well do: the source document's default. @param processors logical ones */
export function suggestedWorkers(processors: number): number {
  return Math.min(Math.max(1, processors), 8)
}
