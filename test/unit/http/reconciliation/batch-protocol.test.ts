import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LookupQuery } from '../../../../src/core/matching/lookup-query.ts'
import type { BatchReading } from '../../../../src/http/reconciliation/batch-protocol.ts'
import { batchProtocol02 } from '../../../../src/http/reconciliation/batch-protocol-0-2.ts'

const lookup = (query: string, more: Partial<LookupQuery> = {}): LookupQuery => ({
  query,
  types: [],
  limit: 10,
  properties: [],
  ...more,
})

/** What a server decodes out of the form. */
function sent(...queries: readonly LookupQuery[]): unknown {
  const { body, headers } = batchProtocol02.encode('http://127.0.0.1/', queries)
  expect(headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' })
  return JSON.parse(new URLSearchParams(body).get('queries') ?? '')
}

describe('a batch of queries', () => {
  it('has opaque keys and leaves absent fields out', () => {
    expect(sent(lookup('Wien'), lookup('Rome', { limit: 3 }))).toStrictEqual({
      q0: { query: 'Wien', limit: 10 },
      q1: { query: 'Rome', limit: 3 },
    })
  })

  it('sends one type as text and several as a list', () => {
    expect(sent(lookup('a', { types: ['Q5'] }))).toMatchObject({ q0: { type: 'Q5' } })
    expect(sent(lookup('a', { types: ['Q5', 'Q6'] }))).toMatchObject({ q0: { type: ['Q5', 'Q6'] } })
  })

  it('sends each pid once and no blank value', () => {
    const properties = [
      { pid: 'P17', v: 'Austria' },
      { pid: 'P17', v: [{ id: 'Q40' }, ''] },
      { pid: 'P31', v: [' ', { id: '' }] },
      { pid: 'P856', v: 'https://a.example/?x=1&y=2' },
    ]
    expect(sent(lookup('a', { properties }))).toStrictEqual({
      q0: {
        query: 'a',
        limit: 10,
        properties: [
          { pid: 'P17', v: ['Austria', { id: 'Q40' }] },
          { pid: 'P856', v: 'https://a.example/?x=1&y=2' },
        ],
      },
    })
  })

  it('case 6: sends hostile names as data, byte for byte', () => {
    for (const name of [
      'Tag (28. Tag 1932 : 1932 : Jena)',
      'Friedrich ("kön',
      'a\\b & c + d % e ; f=g',
      'two\r\nlines\tand a tab',
      'haswbstatement:P31=Q5',
      '007804',
      'Достоевский 東京 😀 e\u0301',
      '__proto__',
    ]) {
      expect(sent(lookup(name))).toStrictEqual({ q0: { query: name, limit: 10 } })
    }
  })

  it('case 6: sends no NUL and no half of a surrogate pair', () => {
    expect(sent(lookup('a\0b\uD800c'))).toMatchObject({ q0: { query: 'ab\uFFFDc' } })
  })

  it('arrives unchanged for any well-formed text', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''))
    fc.assert(
      fc.property(text, (name) => {
        expect(sent(lookup(name))).toStrictEqual({ q0: { query: name, limit: 10 } })
      }),
      { numRuns: 100 },
    )
  })
})

const read = (body: unknown, queries = 2): BatchReading =>
  batchProtocol02.read(
    typeof body === 'string' ? body : JSON.stringify(body),
    Array.from({ length: queries }, () => lookup('a')),
  )
const found = (id: string): unknown => ({ result: [{ id, score: 1 }] })

describe('a batch of answers', () => {
  it('is mapped back by key, never by order, and keeps the original', () => {
    const { answers } = read({ q1: { ...Object(found('Q1')), extra: [1] }, q0: found('Q0') })
    expect(answers.map((answer) => answer?.list.candidates[0]?.id)).toEqual(['Q0', 'Q1'])
    expect(JSON.parse(answers[1]?.rawJson ?? '')).toEqual({
      result: [{ id: 'Q1', score: 1 }],
      extra: [1],
    })
  })

  it('case 15: has no answer for a key that is missing, empty, a list or an error', () => {
    const unusable = [undefined, {}, [{ id: 'Q1' }], { result: null }, { result: {} }, null, 'x']
    const errors = [
      { result: [], error: 'x' },
      { result: [], status: 'error' },
    ]
    for (const q1 of [...unusable, ...errors, { result: [{ name: 'no id' }] }]) {
      const { answers } = read({ q0: found('Q0'), q1 })
      expect(answers[0]).not.toBeNull()
      expect(answers[1]).toBeNull()
    }
    expect(read({ q0: { result: [] }, q1: { result: [] } }).answers[0]?.list.candidates).toEqual([])
  })

  it.each(['', '[]', '{}', 'null', '"x"', '{"q0":{}}', '{"q9":{"result":[]}}', '{"q0":{"result":'])(
    'is malformed as a whole: %s',
    (body) => {
      expect(() => read(body)).toThrow(
        expect.objectContaining({ kind: 'transient', code: 'malformed_answer' }),
      )
    },
  )

  it('case 21: a manifest in place of an answer pauses the run', () => {
    const manifest = { name: 'x', identifierSpace: 'y', schemaSpace: 'z' }
    expect(() => read(manifest)).toThrow(
      expect.objectContaining({ kind: 'endpoint', code: 'manifest_instead_of_answer' }),
    )
  })

  it('warns of keys nobody asked for, without repeating them', () => {
    const { warnings } = read({ q0: found('Q0'), q1: found('Q1'), 'Jane Doe': {} })
    expect(warnings).toEqual(['The answer has 1 keys nobody asked for; ignored.'])
  })

  it('reads NaN as Python writes it, outside of strings only', () => {
    const body = '{"q0": {"result": [{"id": "Q1", "name": "NaN \\" NaN", "score": NaN}]}}'
    const [answer] = read(body, 1).answers
    expect(answer?.list.candidates[0]).toMatchObject({ name: 'NaN " NaN', serviceScore: null })
  })

  it('is freed of what Postgres cannot store, in the original too', () => {
    const body = String.raw`{"q0": {"result": [{"id": "Q1", "name": "a\u0000b\ud800 \\u0000 \ud83d\ude00"}]}}`
    const [answer] = read(body, 1).answers
    const name = 'ab\uFFFD \\u0000 😀'
    expect(answer?.list.candidates[0]?.name).toBe(name)
    expect(JSON.parse(answer?.rawJson ?? '')).toEqual({ result: [{ id: 'Q1', name }] })
  })

  it('keeps no original that is huge or too deep, but the candidates', () => {
    const huge = { q0: { ...Object(found('Q1')), more: 'x'.repeat(300_000) } }
    expect(read(huge, 1).answers[0]).toMatchObject({ rawJson: null, list: { truncated: false } })
    const deep = `{"q0":{"result":[{"id":"Q1"}],"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`
    expect(read(deep, 1).answers[0]).toMatchObject({ rawJson: null })
  })

  it('is harmless with __proto__ as a key', () => {
    const body = '{"__proto__": {"q1": {"result": []}}, "q0": {"result": []}}'
    expect(read(body).answers.map((answer) => answer !== null)).toEqual([true, false])
  })
})
