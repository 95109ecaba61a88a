/**
 * Batches of API 1.0 as its draft stands: JSON to `/match` under the endpoint, a list of conditions for each query,
 * answers in the order of the queries. An answer of another length is not used at all: one that was left out would
 * give each record behind it the candidates of its neighbour.
 */
import type { LookupQuery } from '../../core/matching/lookup-query.ts'
import type { BatchProtocol, BatchReading } from './batch-protocol.ts'
import { encodeQuery, type EncodedQuery } from './encode-query.ts'
import { malformedAnswer, noAnswer, parseAnswer, readAnswer } from './read-answer.ts'
import { field, isJsonObject } from '../tolerant-json.ts'

type Value = NonNullable<EncodedQuery['properties']>[number]['v']

/** As the draft writes a query. */
interface ConditionalQuery {
  readonly type?: string
  readonly limit: number
  readonly conditions: readonly (
    | { readonly matchType: 'name'; readonly propertyValue: string }
    | {
        readonly matchType: 'property'
        readonly propertyId: string
        readonly propertyValue: Value
        readonly required: false
        readonly matchQuantifier: 'any'
      }
  )[]
}

export const batchProtocol10: BatchProtocol = {
  address(endpoint) {
    const url = new URL(endpoint)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/match`
    return url.href
  },

  encode: (address, queries) => ({
    url: address,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries: queries.map(conditionsOf) }),
  }),

  read(bodyText, queries): BatchReading {
    const batch = parseAnswer(bodyText)
    const results = isJsonObject(batch) ? field(batch, 'results') : undefined
    if (!Array.isArray(results) || results.length !== queries.length) {
      throw noAnswer(batch, bodyText)
    }
    const answers = queries.map((query, i) => readAnswer(results[i], 'candidates', query.limit))
    if (answers.every((answer) => answer === null)) throw malformedAnswer(bodyText)
    return { answers, warnings: [] }
  },
}

/**
 * No property is required, since an item that does not state it may still be the right one. A query has at most one
 * type: of several none is sent, because each of them alone would leave right ones out.
 */
function conditionsOf(lookup: LookupQuery): ConditionalQuery {
  const { query, type, limit, properties = [] } = encodeQuery(lookup)
  return {
    ...(typeof type === 'string' ? { type } : {}),
    limit,
    conditions: [
      { matchType: 'name', propertyValue: query },
      ...properties.map(({ pid, v }) => ({
        matchType: 'property' as const,
        propertyId: pid,
        propertyValue: v,
        required: false as const,
        matchQuantifier: 'any' as const,
      })),
    ],
  }
}
