import { describe, expect, it } from 'vitest'
import { checkProfile, readProfile } from '../../../src/client/extract/profile-file.ts'
import { idColumnOf, itemCells } from '../../../src/core/extract/item-cells.ts'
import { contentTypeOf } from '../../../src/core/extract/source-profile.ts'
import { parseExactJson } from '../../../src/http/extract/exact-json.ts'
import { pageUrl } from '../../../src/http/extract/source-client.ts'

const base = { name: 'museum', baseUrl: 'https://museum.example/api/' }
const artists = { name: 'artists', path: '/artists?lang=nl', paginator: { kind: 'page' } }

describe('a profile', () => {
  it('needs little, and the usual is filled in', () => {
    const { profile, unsorted } = checkProfile({ ...base, types: [artists] }, 'museum.json')
    expect(profile.baseUrl).toBe('https://museum.example/api')
    expect(contentTypeOf(profile, 'artists')).toMatchObject({
      id: 'id',
      items: '',
      emptyPages: 'end',
      paginator: { kind: 'page', pageParam: 'page', sizeParam: 'per_page', firstPage: 1 },
    })
    expect(unsorted).toEqual(['artists'])
  })

  it('makes sort and fields parameters of every list request', () => {
    const type = {
      ...artists,
      sort: { param: 'sorts', value: 'id' },
      fields: { param: 'fields', names: ['id', 'name'] },
      params: { kind: 'person' },
    }
    const { profile, unsorted } = checkProfile({ ...base, types: [type] }, 'museum.json')
    const url = pageUrl(profile, contentTypeOf(profile, 'artists'), {
      position: 50,
      size: 25,
      cursor: null,
    })
    expect(url).toBe(
      'https://museum.example/api/artists?lang=nl&kind=person&sorts=id&fields=id%2Cname&page=3&per_page=25',
    )
    expect(unsorted).toEqual([])
  })

  it('tells all that is wrong with it at once', () => {
    const wrong = {
      name: 'Bad Name',
      baseUrl: 'https://me:secret@museum.example',
      types: [
        { name: 'a', path: 'no-slash', detail: { path: '/x' } },
        { name: 'b', path: '/b', paginator: { kind: 'cursor' }, extra: 1 },
        { name: 'd', path: '/d', changedSince: { param: 'since' } },
        { name: 'c', path: '/c', paginator: { kind: 'offset' }, emptyPages: 'continue' },
      ],
    }
    expect(() => checkProfile(wrong, 'bad.json')).toThrow(
      /name: .*\n.*baseUrl: .*\n.*types\.0\.path: .*\n.*types\.0\.detail\.path: .*\n.*cursorPath[^]*extra[^]*changedSince\.field: [^]*emptyPages/,
    )
  })

  it('of Looker is shipped, and wants only an address', async () => {
    await expect(readProfile('looker', undefined)).rejects.toMatchObject({
      code: 'base_url_missing',
    })
    const { profile, unsorted } = await readProfile('looker', 'https://looker.example/api/4.0')
    expect(profile.auth).toMatchObject({ kind: 'login', path: '/login', idField: 'client_id' })
    const url = (name: string) =>
      pageUrl(profile, contentTypeOf(profile, name), { position: 100, size: 100, cursor: null })
    expect(url('looks')).toBe(
      'https://looker.example/api/4.0/looks/search?sorts=id&offset=100&limit=100',
    )
    expect(url('dashboards')).toBe('https://looker.example/api/4.0/dashboards')
    expect(unsorted).toEqual(['lookml_models'])
  })

  it('follows a next page on its own host only', () => {
    const type = { name: 'a', path: '/a', paginator: { kind: 'link' } }
    const { profile } = checkProfile({ ...base, types: [type] }, 'museum.json')
    const next = (cursor: string) =>
      pageUrl(profile, contentTypeOf(profile, 'a'), { position: 1, size: 10, cursor })
    expect(next('https://museum.example/api/a?p=2')).toBe('https://museum.example/api/a?p=2')
    expect(() => next('https://elsewhere.example/a')).toThrow('another host')
  })
})

it('whole numbers beyond 2^53 become text with all their digits; all others stay numbers', () => {
  const text =
    '{"id": 9007199254740993, "n": -12345678901234567890, "s": "9007199254740993", "f": 1.5e3, "i": 9007199254740991}'
  expect(parseExactJson(text)).toEqual({
    id: '9007199254740993',
    n: '-12345678901234567890',
    s: '9007199254740993',
    f: 1500,
    i: 9007199254740991,
  })
})

it('an item has its id in the column that is filled from it, else in one of its own', () => {
  expect(idColumnOf({ id: 'key', columns: null })).toBe('key')
  expect(idColumnOf({ id: 'meta.key', columns: null })).toBe('id')
  expect(idColumnOf({ id: 'meta.key', columns: { number: 'meta.key' } })).toBe('number')
  const body = '{"meta":{"key":7},"names":["a",null],"deep":{"x":1}}'
  expect(itemCells({ id: 'meta.key', columns: null }, '7', body)).toEqual({
    id: '7',
    meta: '{"key":7}',
    names: 'a|',
    deep: '{"x":1}',
  })
  expect(itemCells({ id: 'meta.key', columns: { x: 'deep.x', y: 'none' } }, '7', body)).toEqual({
    id: '7',
    x: '1',
    y: '',
  })
})
