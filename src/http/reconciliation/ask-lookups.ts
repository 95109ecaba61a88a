/**
 * Asks a service about many lookups (or other questions that go in batches), one request after the other, and finds out who is to blame when a
 * batch fails.
 *
 *   waiting groups: fresh lookups in batches, those that failed before alone
 *     │ one request
 *     ├─▶ answered ──▶ results delivered; a lookup left out of the answer waits again, alone
 *     ├─▶ too large, too slow, a bad query somewhere ──▶ halves wait at the end; alone: it has failed
 *     └─▶ the service cannot or will not (throttled, offline, 401, 503 …) ──▶ thrown
 *
 * Attempts: a lookup has failed, once, when a request it was in failed and this call ends without an
 * answer for it. So the steps of a bisection cost the innocent nothing: they are answered in it. Where the
 * bisection is cut short by a throw, they pay one attempt and are asked alone next time, which is what makes
 * the next time get further; nobody is ever exhausted by a neighbour. Being too large together costs none.
 *
 * Invariants: every result is delivered once, before the next request; three failures in a row stop the
 * call, since then it is the service; each request either ends a lookup or makes its group smaller.
 */
import { OutsideCallError } from '../../errors.ts'
import { batchFault } from './batch-failure.ts'
import type { BatchReading, LookupAnswer } from './batch-protocol.ts'
import {
  failedLookup,
  inBatch,
  type LookupToAsk,
  type Question,
  type QuestionResult,
} from './lookup-result.ts'
import { malformedAnswer } from './read-answer.ts'

/** A down service is not asked on and on within one call. */
const failuresInARowToStop = 3

/** What one batch brought, and how it came. */
export interface SentReading<Answer> extends BatchReading<Answer> {
  /** Content-Language of the answer, where it has one. */
  readonly language?: string | null | undefined
}

/** What the engine needs of the service. */
export interface BatchSender<Asked extends Question = LookupToAsk, Answer = LookupAnswer> {
  /** Most queries in one batch now. */
  batchSize(): number
  /** @throws OutsideCallError when there is no usable answer at all; anything else passes through. */
  send(group: readonly Asked[]): Promise<SentReading<Answer>>
  answered(queries: number): void
  /** @throws OutsideCallError where this failure shows that the service refuses everybody. */
  failed(queries: number, error: OutsideCallError): void
}

export interface AskedLookups<Answer = LookupAnswer> {
  readonly results: readonly QuestionResult<Answer>[]
  readonly warnings: readonly string[]
}

/** @param deliver Gets each result once; awaited before the next request. */
export async function askLookups<Asked extends Question, Answer extends object>(
  sender: BatchSender<Asked, Answer>,
  lookups: readonly Asked[],
  deliver: (results: readonly QuestionResult<Answer>[]) => Promise<void> | void,
): Promise<AskedLookups<Answer>> {
  type Group = readonly Asked[]
  const waiting = firstGroups(lookups)
  /** In a request that failed, and not answered since. */
  const blamed = new Map<number, OutsideCallError>()
  const all: QuestionResult<Answer>[] = []
  const warnings = new Set<string>()
  let failuresInARow = 0

  const finish = async (results: readonly QuestionResult<Answer>[]): Promise<void> => {
    if (results.length === 0) return
    for (const { id } of results) blamed.delete(id)
    all.push(...results)
    await deliver(results)
  }

  const onAnswer = async (group: Group, reading: SentReading<Answer>): Promise<void> => {
    failuresInARow = 0
    sender.answered(group.length)
    for (const warning of reading.warnings) warnings.add(warning)
    const results = group.flatMap(({ id }, i): QuestionResult<Answer>[] => {
      const answer = reading.answers[i]
      const { language = null } = reading
      return answer ? [{ ...answer, language, id, status: 'answered' }] : []
    })
    const leftOut = group.filter((_, i) => !reading.answers[i])
    for (const lookup of leftOut) {
      blamed.set(lookup.id, malformedAnswer(undefined))
      waiting.push([lookup])
    }
    await finish(results)
  }

  const onFailure = async (group: Group, error: OutsideCallError): Promise<void> => {
    const fault = batchFault(error)
    if (error.kind === 'transient') {
      failuresInARow++
      for (const { id } of group) blamed.set(id, inBatch(error))
    }
    if (fault === 'service') throw error
    const [only] = group
    if (group.length === 1 && only) {
      await finish([failedLookup(only.id, error)])
    } else {
      if (fault === 'query') for (const { id } of group) blamed.set(id, inBatch(error))
      const middle = Math.ceil(group.length / 2)
      waiting.push(group.slice(0, middle), group.slice(middle))
    }
    sender.failed(group.length, error)
    if (failuresInARow >= failuresInARowToStop) throw error
  }

  try {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      const size = sender.batchSize()
      if (group.length > size) {
        waiting.unshift(group.slice(0, size), group.slice(size))
        continue
      }
      let reading: SentReading<Answer>
      try {
        reading = await sender.send(group)
      } catch (error) {
        if (!(error instanceof OutsideCallError)) throw error
        await onFailure(group, error)
        continue
      }
      await onAnswer(group, reading)
    }
  } catch (error) {
    if (error instanceof OutsideCallError) {
      await finish([...blamed].map(([id, blame]) => failedLookup(id, blame)))
    }
    throw error
  }
  return { results: all, warnings: [...warnings] }
}

/** The fresh ones first and together; whoever failed before is asked alone, after them. */
function firstGroups<Asked extends Question>(lookups: readonly Asked[]): (readonly Asked[])[] {
  const fresh = lookups.filter(({ attempts = 0 }) => attempts === 0)
  const suspects = lookups.filter(({ attempts = 0 }) => attempts > 0)
  return [...(fresh.length === 0 ? [] : [fresh]), ...suspects.map((lookup) => [lookup])]
}
