import { describe, expect, it } from 'vitest'
import {
  labelSearchParams,
  readLabelSearch,
} from '../../../../src/http/wikidata/search-by-label.ts'
import { readTextSearch, textSearchParams } from '../../../../src/http/wikidata/search-text.ts'
import { plainWords, statementSearch } from '../../../../src/core/wikidata/search-words.ts'
import type { CandidateList } from '../../../../src/core/matching/candidate.ts'
import { entity, fakeWikidata, statement } from '../../../support/fake-wikidata.ts'
import { wikidataScene } from './wikidata-scene.ts'

const people = [
  entity('Q7259', { labels: { en: 'Ada Lovelace' } }),
  entity('Q30', { labels: { en: 'United States of America' }, aliases: { en: ['USA'] } }),
  entity('Q42', {
    labels: { en: 'Douglas Adams' },
    claims: { P214: [statement('string', '113230702')] },
  }),
]

const shown = (list: CandidateList | undefined) =>
  list && { ids: list.candidates.map(({ id }) => id), isTruncated: list.truncated }

async function byLabel(text: string, limit = 10) {
  const scene = await wikidataScene(fakeWikidata(people))
  const params = labelSearchParams(text, 'en', limit)
  return shown(readLabelSearch(await scene.call(params), limit))
}

async function byText(query: string, limit = 10) {
  const scene = await wikidataScene(fakeWikidata(people))
  const params = textSearchParams(query, limit)
  return shown(readTextSearch(await scene.call(params), limit))
}

it('an alias is found by label, a name turned round by text', async () => {
  expect(await byLabel('USA')).toEqual({ ids: ['Q30'], isTruncated: false })
  expect(await byLabel('Lovelace, Ada')).toEqual({ ids: [], isTruncated: false })
  expect(await byText(plainWords('Lovelace, Ada'))).toEqual({ ids: ['Q7259'], isTruncated: false })
})

it('an identifier finds the items that have it', async () => {
  const P214 = (...values: readonly string[]) =>
    statementSearch(values.map((value) => ({ pid: 'P214', value })))
  expect(P214('113230702', '999')).toBe('haswbstatement:"P214=113230702|P214=999"')
  expect(await byText(P214('113230702', '999') ?? '')).toEqual({ ids: ['Q42'], isTruncated: false })
  expect(P214('a"b', 'x|P31=Q5', '')).toBeNull()
  expect(statementSearch([{ pid: 'born', value: '1' }])).toBeNull()
})

it('identifiers that do not fit into one search are left out, whole', () => {
  const long = ['1', '2', '3', '4'].map((digit) => ({ pid: 'P1', value: digit.repeat(120) }))
  const search = statementSearch(long) ?? ''
  expect(search).toBe(`haswbstatement:"P1=${'1'.repeat(120)}|P1=${'2'.repeat(120)}"`)
  expect(search.length).toBeLessThanOrEqual(300)
})

it('the name that was found comes along, in whatever language it is', async () => {
  const scene = await wikidataScene(
    fakeWikidata([entity('Q1726', { labels: { mul: 'München', en: 'Munich' } })]),
  )
  const params = labelSearchParams('München', 'en', 10)
  const list = readLabelSearch(await scene.call(params), 10)
  expect(list?.candidates.map(({ id, names }) => [id, names])).toEqual([['Q1726', ['München']]])
})

it('case 20: a list that is cut off says so', async () => {
  const brothers = [1, 2, 3].map((n) => entity(`Q${n}`, { labels: { en: `Smith ${n}` } }))
  const scene = await wikidataScene(fakeWikidata(brothers))
  const label = await scene.call(labelSearchParams('Smith', 'en', 2))
  expect(shown(readLabelSearch(label, 2))).toEqual({ ids: ['Q1', 'Q2'], isTruncated: true })
  const text = await scene.call(textSearchParams('smith', 2))
  expect(shown(readTextSearch(text, 2))).toEqual({ ids: ['Q1', 'Q2'], isTruncated: true })
})

describe('case 6: a name is sent as words, never as operators', () => {
  it.each([
    ['haswbstatement:P31=Q5', 'haswbstatement P31 Q5'],
    ['Tag (28. Tag 1932 : 1932 : Jena)', 'Tag 28. Tag 1932 1932 Jena'],
    ['Friedrich ("kön', 'Friedrich kön'],
    ['-Smith !Jones', 'Smith Jones'],
    ['/a.*b/ x~ y* z?', 'a. b x y z'],
    ['Trial AND Error OR NOT', 'Trial and Error or not'],
    ["O'Brien & Sons-Smith", "O'Brien Sons-Smith"],
    ['東京 Достоевский हिन्दी', '東京 Достоевский हिन्दी'],
    ['"""', ''],
  ])('%s → %s', (name, words) => {
    expect(plainWords(name)).toBe(words)
  })

  it('and never as more characters than the search takes', () => {
    expect(Array.from(plainWords('𝔘𝔫 '.repeat(200))).length).toBeLessThanOrEqual(300)
  })
})

it('an answer without a list is none', () => {
  expect(readLabelSearch({ success: 1 }, 10)).toBeUndefined()
  expect(readTextSearch({ query: {} }, 10)).toBeUndefined()
})
