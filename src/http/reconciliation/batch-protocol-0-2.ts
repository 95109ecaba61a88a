/** Batches of API 0.1 and 0.2: a form field `queries`, opaque keys q0, q1, …, answers mapped back by key. */
import type { BatchProtocol, BatchReading } from './batch-protocol.ts'
import { encodeQuery } from './encode-query.ts'
import { malformedAnswer, noAnswer, parseAnswer, readAnswer } from './read-answer.ts'
import { field, isJsonObject } from '../tolerant-json.ts'

export const batchProtocol02: BatchProtocol = {
  address: (endpoint) => endpoint,

  encode(address, queries) {
    const batch = Object.fromEntries(queries.map((query, i) => [`q${i}`, encodeQuery(query)]))
    return {
      url: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ queries: JSON.stringify(batch) }).toString(),
    }
  },

  read(bodyText, queries): BatchReading {
    const batch = parseAnswer(bodyText)
    const keys = queries.map((_, i) => `q${i}`)
    if (!isJsonObject(batch) || !keys.some((key) => Object.hasOwn(batch, key))) {
      throw noAnswer(batch, bodyText)
    }
    const answers = queries.map((query, i) =>
      readAnswer(field(batch, `q${i}`), 'result', query.limit),
    )
    if (answers.every((answer) => answer === null)) throw malformedAnswer(bodyText)
    const extra = Object.keys(batch).filter((key) => !keys.includes(key)).length
    const warnings = extra === 0 ? [] : [`The answer has ${extra} keys nobody asked for; ignored.`]
    return { answers, warnings }
  },
}
