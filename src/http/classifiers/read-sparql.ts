/**
 * What Wikidata's query service says ("Query limits" of its manual; ThrottlingFilter of its source). It
 * meters the seconds a query was worked on, per address and User-Agent, and shuts out for a day whoever does
 * not obey its 429.
 */
import { saysBanned } from '../error-body.ts'
import {
  type AnswerReading,
  overload,
  type ReceivedResponse,
  throttled,
  transient,
} from './answer-reading.ts'

/** Its rule for a 429 without Retry-After. */
const usualWaitMs = 60_000
/** It works no longer on one query. */
const longestQueryS = 60
/** Java's traces are long, and repeat the query. */
const traceLength = 65_536

/** @returns Undefined for what means the same as everywhere else. */
export function readSparql({ status, bodyText }: ReceivedResponse): AnswerReading | undefined {
  if (status === 429 && !saysBanned(bodyText)) {
    return throttled('too_many_requests', titleWaitMs(bodyText) ?? usualWaitMs)
  }
  if (status !== 200 && status !== 500) return undefined
  // A query that fails after its first rows have left ends the body of a 200 with a stack trace.
  const tail = bodyText.slice(-traceLength)
  const trace = status === 500 || endsInTrace(tail)
  // Too much for one query, not too many queries: its minute is charged as cost, so it needs no breaker too.
  if (trace && /TimeoutException|Query deadline is expired/.test(tail)) {
    return transient('query_timeout')
  }
  return status === 200 && trace ? overload('truncated_answer') : undefined
}

/** Processing seconds, as near as they can be told from outside: it counts failed queries too. */
export function processingSeconds(latencyMs: number): number {
  return Math.min(longestQueryS, Math.max(0, latencyMs) / 1000)
}

/** The last line is of a trace: JSON and XML end otherwise, and have no line break within a value. */
function endsInTrace(tail: string): boolean {
  const lastLine = tail.trimEnd().split('\n').at(-1) ?? ''
  return /^\s*(?:at [^()]+\(.*\)|\.\.\. \d+ more|(?:Caused by: )?[\w.$]+(?:Exception|Error)\b.*)$/.test(
    lastLine,
  )
}

/** Some answers name the wait in the title of their page only, and then even 0. */
function titleWaitMs(bodyText: string): number | undefined {
  const seconds = Number(/retry in (\d{1,7}) seconds/i.exec(bodyText.slice(0, 4_000))?.[1] ?? 0)
  return seconds > 0 ? seconds * 1000 : undefined
}
