import { OutsideCallError } from '../../errors.ts'
import type { LookupQuery } from '../../core/matching/lookup-query.ts'
import type { LookupAnswer } from './batch-protocol.ts'

/** Anything that is asked in batches with others. */
export interface Question {
  readonly id: number
  /** Failed attempts so far, default 0. Above 0 it is asked alone, so that a failure is its own. */
  readonly attempts?: number
}

export interface LookupToAsk extends Question {
  readonly query: LookupQuery
}

export type AnsweredQuestion<Answer> = Answer & {
  readonly id: number
  /** Of the answer, as its Content-Language names it; null where it names none. */
  readonly language: string | null
  readonly status: 'answered'
}

/** It was asked and not answered: exactly one failed attempt, whatever number of requests it was part of. */
export interface FailedLookup {
  readonly id: number
  readonly status: 'failed'
  /**
   * Kind `permanent` only where the service refused this very lookup, asked alone; `transient` otherwise,
   * with the code of the request that failed.
   */
  readonly error: OutsideCallError
}

export type QuestionResult<Answer> = AnsweredQuestion<Answer> | FailedLookup

export type LookupResult = QuestionResult<LookupAnswer>

export function failedLookup(id: number, error: OutsideCallError): FailedLookup {
  return { id, status: 'failed', error }
}

/** The failure of a batch as that of one of its lookups: whose fault it was is not known. */
export function inBatch(error: OutsideCallError): OutsideCallError {
  return new OutsideCallError({
    kind: 'transient',
    code: error.code,
    message: `${error.message} (Asked together with others.)`,
    hint: error.hint,
    status: error.status,
    bodyHead: error.bodyHead,
    cause: error,
  })
}
