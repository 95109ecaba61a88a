/** An answer to a batch and to one query of it, whatever the version: read tolerantly, the original kept. */
import { OutsideCallError } from '../../errors.ts'
import type { LookupAnswer } from './batch-protocol.ts'
import { looksLikeManifest } from './looks-like-manifest.ts'
import { readCandidates } from './read-candidates.ts'
import { field, isJsonObject, type JsonObject, parseTolerantJson } from '../tolerant-json.ts'

/** A longer answer is used but not kept: 50,000 of them would be the database. */
const longestRawJson = 256 * 1024

/** @throws OutsideCallError `malformed_answer` for what is not JSON. */
export function parseAnswer(bodyText: string): unknown {
  try {
    return parseTolerantJson(bodyText)
  } catch (error) {
    throw malformedAnswer(bodyText, error)
  }
}

/**
 * @param listField Name of the list of candidates.
 * @param limit Candidates asked for.
 * @returns null where this is no usable answer.
 */
export function readAnswer(value: unknown, listField: string, limit: number): LookupAnswer | null {
  if (!isJsonObject(value)) return null
  const result = field(value, listField)
  if (!Array.isArray(result) || (result.length === 0 && saysError(value))) return null
  const list = readCandidates(result, limit)
  return list ? { list, rawJson: toJson(value) } : null
}

/** The error for an answer in which no query has a usable one: its own words, or the manifest in its place. */
export function noAnswer(answer: unknown, bodyText: string): OutsideCallError {
  return looksLikeManifest(answer) ? manifestInstead(bodyText) : malformedAnswer(bodyText)
}

/** An answer, or one query's part of it, that is not what the API promises: never "no match". */
export function malformedAnswer(bodyText: string | undefined, cause?: unknown): OutsideCallError {
  return new OutsideCallError({
    kind: 'transient',
    code: 'malformed_answer',
    message:
      'The service sent no usable answer; expected JSON with a list of candidates for each query.',
    hint: 'See the head of the answer; if it stays so, the service has a fault its operator should know of.',
    bodyHead: bodyText?.slice(0, 500),
    cause,
  })
}

function manifestInstead(bodyText: string): OutsideCallError {
  return new OutsideCallError({
    kind: 'endpoint',
    code: 'manifest_instead_of_answer',
    message:
      'The service answered a batch of queries with its manifest; expected the candidates. A redirect on the way may have dropped the queries.',
    hint: 'Give the final address of the endpoint (https, with or without the trailing slash), then resume the run.',
    bodyHead: bodyText.slice(0, 500),
  })
}

/** An empty list next to an error is not "no candidate". */
function saysError(value: JsonObject): boolean {
  return Boolean(field(value, 'error')) || field(value, 'status') === 'error'
}

function toJson(value: JsonObject): string | null {
  try {
    const json = JSON.stringify(value)
    return json.length > longestRawJson ? null : json
  } catch {
    // Nested deeper than the stack: the candidates were read, only the original cannot be kept.
    return null
  }
}
