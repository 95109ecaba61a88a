/**
 * An attempt at a file as a trace has it, out of what its log is told, so that spans and rows are the same facts.
 *
 *   artifact ─┬─ prepare ── ways, robots.txt, the stored answer, slots
 *             ├─ stream ─── the transfer itself
 *             └─ finalize ─ into the store, and the end in the database
 *
 * Each request is under what it was made in. A further way begins again with `prepare`.
 */
import { artifactTraceId } from '../../core/trace-place.ts'
import type { JobAttempt } from '../../db/job-attempts.repo.ts'
import { sha256Hex } from '../../db/sha256.ts'
import type { AttemptLog, AttemptPhase } from '../attempt-log.ts'
import { requestSpan } from './request-span.ts'
import { noteFailure } from './span-now.ts'
import { noTracer, type Span, type Tracer } from './tracer.ts'

export interface AttemptTrace {
  /** The same log, told to the trace too. */
  readonly traced: (log: AttemptLog) => AttemptLog
  /** Why it failed, or waits, by the reason of its row. */
  readonly trouble: (reason: string, isWait: boolean) => void
  readonly ended: (outcome: string) => void
  readonly broke: (error: unknown) => void
}

export function beginAttemptTrace(tracer: Tracer, job: JobAttempt): AttemptTrace {
  if (tracer === noTracer) return untraced
  const { queue, id, attempt, host } = job
  const artifact = tracer.root({
    name: 'artifact',
    place: { traceId: artifactTraceId(job, sha256Hex) },
    attributes: { queue, job: id, attempt, host },
  })
  let phase: { readonly name: AttemptPhase; readonly span: Span } | undefined
  const enter = (name: AttemptPhase): void => {
    if (phase?.name === name) return
    phase?.span.end()
    phase = { name, span: artifact.child(name, {}) }
  }
  let hasTrouble = false
  const end = (): void => {
    phase?.span.end()
    artifact.end()
  }
  return {
    traced: (log) => tracedLog(log, { artifact, enter, now: () => phase?.span ?? artifact }),
    trouble(reason, isWait) {
      hasTrouble = true
      if (isWait) artifact.wait(reason)
      else artifact.fail(reason)
    },
    ended(outcome) {
      artifact.set({ outcome })
      end()
    },
    broke(error) {
      if (!hasTrouble) noteFailure(artifact, error)
      end()
    },
  }
}

const untraced: AttemptTrace = {
  traced: (log) => log,
  trouble: () => undefined,
  ended: () => undefined,
  broke: () => undefined,
}

interface TracedAttempt {
  readonly artifact: Span
  readonly enter: (phase: AttemptPhase) => void
  /** What a request of now is part of. */
  readonly now: () => Span
}

function tracedLog(log: AttemptLog, { artifact, enter, now }: TracedAttempt): AttemptLog {
  let resolver = 'none'
  return {
    rows: () => log.rows(),
    begin(name, plan) {
      resolver = name
      log.begin(name, plan)
      artifact.set({ resolver, plan })
      enter('prepare')
    },
    enter(phase) {
      log.enter(phase)
      enter(phase)
    },
    exchange(exchange) {
      log.exchange(exchange)
      const { domain: host, method, status, latencyMs, reason: code, wireBytes } = exchange
      const { verb } = log.rows().at(-1) ?? { verb: 'none' }
      const request = { host, method, status, latencyMs, code }
      requestSpan(now(), request, {
        resolver,
        verb,
        wire_bytes: wireBytes,
        permit_wait_ms: Math.round(exchange.permitMs),
        'cache.from_cache': false,
        'cache.revalidated': status === 304,
      })
    },
    cached(facts) {
      log.cached(facts)
      const { host, verb, bytes, cacheStatus } = facts
      const request = { host, method: 'GET', status: null, latencyMs: 0, code: null }
      requestSpan(now(), request, {
        resolver,
        verb,
        'cache.status': cacheStatus,
        'cache.from_cache': true,
        'cache.revalidated': false,
      })
      artifact.set({ bytes, 'cache.status': cacheStatus })
    },
    stored(bytes, cacheStatus) {
      log.stored(bytes, cacheStatus)
      artifact.set({ bytes, 'cache.status': cacheStatus })
    },
    retry(reason, host) {
      log.retry(reason, host)
      artifact.set({ is_tried_again: true })
    },
  }
}
