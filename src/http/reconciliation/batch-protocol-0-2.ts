/** Batches of API 0.1 and 0.2: a form field `queries`, opaque keys q0, q1, …, answers mapped back by key. */
import { OutsideCallError } from '../../errors.ts'
import type { BatchProtocol, BatchReading, LookupAnswer } from './batch-protocol.ts'
import { encodeQuery } from './encode-query.ts'
import { readCandidates } from './read-candidates.ts'
import { looksLikeManifest } from './looks-like-manifest.ts'
import { field, isJsonObject, type JsonObject, parseTolerantJson } from './tolerant-json.ts'

/** A longer answer is used but not kept: 50,000 of them would be the database. */
const longestRawJson = 256 * 1024

export const batchProtocol02: BatchProtocol = {
  encode(endpoint, queries) {
    const batch = Object.fromEntries(queries.map((query, i) => [`q${i}`, encodeQuery(query)]))
    return {
      url: endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ queries: JSON.stringify(batch) }).toString(),
    }
  },

  read(bodyText, queries): BatchReading {
    const batch = parsed(bodyText)
    const keys = queries.map((_, i) => `q${i}`)
    if (!isJsonObject(batch) || !keys.some((key) => Object.hasOwn(batch, key))) {
      throw looksLikeManifest(batch) ? manifestInstead(bodyText) : malformedAnswer(bodyText)
    }
    const answers = queries.map((query, i) => readOne(field(batch, `q${i}`), query.limit))
    if (answers.every((answer) => answer === null)) throw malformedAnswer(bodyText)
    const extra = Object.keys(batch).filter((key) => !keys.includes(key)).length
    const warnings = extra === 0 ? [] : [`The answer has ${extra} keys nobody asked for; ignored.`]
    return { answers, warnings }
  },
}

/** An answer, or one query's part of it, that is not what the API promises: never "no match". */
export function malformedAnswer(bodyText: string | undefined, cause?: unknown): OutsideCallError {
  return new OutsideCallError({
    kind: 'transient',
    code: 'malformed_answer',
    message:
      'The service sent no usable answer; expected a JSON object with a "result" list for each query.',
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

function parsed(bodyText: string): unknown {
  try {
    return parseTolerantJson(bodyText)
  } catch (error) {
    throw malformedAnswer(bodyText, error)
  }
}

function readOne(value: unknown, limit: number): LookupAnswer | null {
  if (!isJsonObject(value)) return null
  const result = field(value, 'result')
  if (!Array.isArray(result) || (result.length === 0 && saysError(value))) return null
  const list = readCandidates(result, limit)
  return list ? { list, rawJson: toJson(value) } : null
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
