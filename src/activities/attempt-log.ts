import type { JobAttempt } from '../db/job-attempts.repo.ts'
import type { DownloadAttempt } from '../db/download-attempts.repo.ts'
import type { DownloadExchange } from '../http/download/download-exchange.ts'

/** What an attempt is at: looking for its way, receiving, keeping what came. */
export type AttemptPhase = 'prepare' | 'stream' | 'finalize'

/** What an attempt at a job did, to be stored with how it ended. */
export interface AttemptLog {
  /** @param plan from 0; -1: while plans are looked for */
  begin(resolver: string, plan: number): void
  /** Of the time it takes; no row. `begin` is the first. */
  enter(phase: Exclude<AttemptPhase, 'prepare'>): void
  readonly exchange: (exchange: DownloadExchange) => void
  /** A stored answer was used. */
  cached(facts: {
    readonly verb: 'cache-hit'
    readonly host: string
    readonly bytes: number
    readonly cacheStatus: string
  }): void
  /** Of the request that brought the content, or showed it to be unchanged. */
  stored(bytes: number, cacheStatus: string): void
  /** Another attempt will be made. */
  retry(reason: string, host: string): void
  /** All of it; to be stored when the attempt ends. */
  rows(): readonly DownloadAttempt[]
}

export function createAttemptLog({ id, attempt }: Pick<JobAttempt, 'id' | 'attempt'>): AttemptLog {
  const rows: DownloadAttempt[] = []
  let at = { resolver: 'none', plan: -1 }
  const add = (facts: Partial<DownloadAttempt> & Pick<DownloadAttempt, 'verb' | 'host'>) => {
    rows.push({ ...empty, jobId: id, attempt, ...at, ...facts })
  }
  return {
    begin(resolver, plan) {
      at = { resolver, plan }
    },
    enter: () => undefined,
    exchange(exchange) {
      const { status, reason, domain: host, wireBytes, latencyMs } = exchange
      add({ verb: verbOf(exchange), status, reason, host, wireBytes, latencyMs })
    },
    cached({ verb, host, bytes: storedBytes, cacheStatus }) {
      add({ verb, host, storedBytes, cacheStatus })
    },
    stored(storedBytes, cacheStatus) {
      const last = rows.at(-1)
      if (last !== undefined) rows[rows.length - 1] = { ...last, storedBytes, cacheStatus }
    },
    retry: (reason, host) => add({ verb: 'retry', reason, host }),
    rows: () => rows,
  }
}

const empty = {
  status: null,
  reason: null,
  wireBytes: 0,
  storedBytes: 0,
  latencyMs: 0,
  cacheStatus: null,
} as const

/** The events of the source document. */
function verbOf({ method, kind, status }: DownloadExchange): string {
  if (method === 'HEAD') return 'http-head'
  if (status === 304) return 'http-304'
  return kind === 'ok' ? 'http-200' : 'http-get'
}
