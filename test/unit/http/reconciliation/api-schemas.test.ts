/** What we send and how we read, against the schemas and examples of the specification. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LookupQuery } from '../../../../src/core/matching/lookup-query.ts'
import { protocolFor } from '../../../../src/http/reconciliation/protocol-for.ts'
import { readManifest } from '../../../../src/http/reconciliation/read-manifest.ts'
import {
  type ApiVersion,
  apiVersions,
  examplesOf,
  schemaErrors,
} from '../../../support/reconciliation-schemas.ts'

/** The place of Swagger's schema is taken by one that allows all. */
const passesHere = ['bad-authentication.json']

describe.each(apiVersions)('the schemas of %s', (version) => {
  it('take every valid example and no invalid one', () => {
    const faults = (validity: 'valid' | 'invalid') =>
      examplesOf(version, validity)
        .filter(({ file }) => !passesHere.includes(file))
        .map(({ schema, file, json }) => [file, schemaErrors(version, schema, json)] as const)
    expect(faults('valid').filter(([, fault]) => fault !== '')).toEqual([])
    expect(faults('invalid').filter(([, fault]) => fault === '')).toEqual([])
    expect(faults('valid').length).toBeGreaterThan(5)
    expect(faults('invalid').length).toBeGreaterThan(5)
  })

  it('take what we send, whatever the record has', () => {
    fc.assert(
      fc.property(fc.array(anyLookup, { minLength: 1, maxLength: 5 }), (queries) => {
        const errors = schemaErrors(version, 'reconciliation-query-batch', sent(version, queries))
        expect(errors).toBe('')
      }),
      { numRuns: 200 },
    )
  })

  it('have no valid manifest that we cannot read, or only with a warning', () => {
    for (const { json } of examplesOf(version, 'valid', 'manifest')) {
      const manifest = readManifest(JSON.stringify(json), 'http://127.0.0.1/')
      expect(manifest.warnings).toEqual([])
      expect(protocolFor(manifest.versions)).toBeDefined()
    }
  })

  it('have no valid answer of which we cannot use a part', () => {
    for (const { json } of examplesOf(version, 'valid', 'reconciliation-result-batch')) {
      const { results = Object.values(json as object) } = json as { results?: readonly unknown[] }
      expect(candidatesPerAnswer(version, json, results.length)).toHaveLength(results.length)
    }
  })
})

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
const value = fc.oneof(
  text,
  text.map((id) => ({ id })),
)
const anyLookup: fc.Arbitrary<LookupQuery> = fc.record({
  query: text,
  types: fc.uniqueArray(text, { maxLength: 3 }),
  limit: fc.integer({ min: 1, max: 50 }),
  properties: fc.array(
    fc.record({ pid: text, v: fc.oneof(value, fc.array(value, { maxLength: 3 })) }),
    { maxLength: 3 },
  ),
})

function sent(version: ApiVersion, queries: readonly LookupQuery[]): unknown {
  const request = protocolFor([version])?.encode('http://127.0.0.1/', queries)
  const isJson = request?.headers['content-type'] === 'application/json'
  const body = request?.body ?? ''
  return JSON.parse(isJson ? body : (new URLSearchParams(body).get('queries') ?? ''))
}

/** Counts of candidates, of those answers that have some; the keys of the examples begin at q1, ours at q0. */
function candidatesPerAnswer(version: ApiVersion, json: unknown, answers: number) {
  const lookup: LookupQuery = { query: 'a', types: [], limit: 50, properties: [] }
  const asked = version === '1.0-draft' ? answers : answers + 1
  const queries = Array.from({ length: asked }, () => lookup)
  const reading = protocolFor([version])?.read(JSON.stringify(json), queries)
  return (reading?.answers ?? [])
    .map((answer) => answer?.list.candidates.length ?? 0)
    .filter((candidates) => candidates > 0)
}
