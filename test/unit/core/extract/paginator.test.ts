import { describe, expect, it } from 'vitest'
import { nextLink } from '../../../../src/core/extract/link-header.ts'
import { resumedSize, smallerSize } from '../../../../src/core/extract/page-size.ts'
import {
  judgePage,
  pageParams,
  type Paginator,
  type ReceivedPage,
} from '../../../../src/core/extract/paginator.ts'

const offset: Paginator = { kind: 'offset', offsetParam: 'offset', limitParam: 'limit' }
const page: Paginator = { kind: 'page', pageParam: 'page', sizeParam: 'size', firstPage: 0 }
const cursor: Paginator = {
  kind: 'cursor',
  cursorParam: 'after',
  cursorPath: 'next',
  limitParam: 'limit',
}
const link: Paginator = { kind: 'link', limitParam: null }

const plain: ReceivedPage = {
  position: 100,
  asked: 100,
  rows: 100,
  next: null,
  total: null,
  isRepeat: false,
  pagesBefore: 1,
}

it('asks for a page as its source wants it', () => {
  const place = { position: 200, size: 100, cursor: 'abc' }
  expect(pageParams(offset, place)).toEqual({ offset: '200', limit: '100' })
  expect(pageParams(page, place)).toEqual({ page: '2', size: '100' })
  expect(pageParams(cursor, place)).toEqual({ after: 'abc', limit: '100' })
  expect(pageParams(cursor, { ...place, cursor: null })).toEqual({ limit: '100' })
  expect(pageParams(link, place)).toEqual({})
})

describe('a numbered list', () => {
  const judge = (facts: Partial<ReceivedPage>, emptyPages: 'end' | 'continue' = 'end') =>
    judgePage({ paginator: offset, emptyPages }, { ...plain, ...facts })

  it('goes on after a full page, also where the total says that it was the last', () => {
    expect(judge({})).toMatchObject({ isLast: false, advance: 100, size: 100 })
    expect(judge({ total: 200 }).isLast).toBe(false)
  })

  it('is over with a short page, but not with a short first one', () => {
    expect(judge({ rows: 40 }).isLast).toBe(true)
    expect(judge({ rows: 40, position: 0 })).toMatchObject({ isLast: false, advance: 40, size: 40 })
    expect(judge({ rows: 40, position: 0, total: 40 }).isLast).toBe(true)
    expect(judge({ rows: 0, position: 0 }).isLast).toBe(true)
  })

  it('goes on after an empty page where its profile says so, up to the total', () => {
    expect(judge({ rows: 0, total: 500 }, 'continue').isLast).toBe(false)
    expect(judge({ rows: 0, total: 200 }, 'continue').isLast).toBe(true)
    expect(judge({ rows: 0, total: 500 }).isLast).toBe(true)
  })
})

describe('a chained list', () => {
  const judge = (facts: Partial<ReceivedPage>, emptyPages: 'end' | 'continue' = 'continue') =>
    judgePage({ paginator: cursor, emptyPages }, { ...plain, ...facts })

  it('is over where no next page is named, whatever its length', () => {
    expect(judge({ next: null }).isLast).toBe(true)
    expect(judge({ next: 'x', rows: 3 })).toMatchObject({ isLast: false, advance: 1 })
    expect(judge({ next: 'x', rows: 0 }).isLast).toBe(false)
    expect(judge({ next: 'x', rows: 0 }, 'end').isLast).toBe(true)
  })

  it('ends with a page that comes again, and after more pages than can be meant', () => {
    expect(judge({ next: 'x', isRepeat: true })).toMatchObject({
      isLast: true,
      problem: 'pagination_loop',
    })
    expect(judge({ next: 'x', pagesBefore: 100_000 })).toMatchObject({
      isLast: true,
      problem: 'page_limit',
    })
  })
})

it('halves pages down to ten, those that are counted in their own size only evenly', () => {
  expect([100, 50, 25, 20, 19].map((size) => smallerSize(offset, size))).toEqual([
    50,
    25,
    12,
    10,
    null,
  ])
  expect([100, 50, 25].map((size) => smallerSize(page, size))).toEqual([50, 25, null])
  expect(smallerSize(link, 100)).toBeNull()
})

it('goes on in pages of another size only where none can be missed by that', () => {
  const begun = { pages: 3, size: 100 }
  const sizes = (paginator: Paginator) =>
    [10, 250].map((size) => resumedSize(paginator, begun, size))
  expect(sizes(offset)).toEqual([10, 100])
  expect(sizes(page)).toEqual([100, 100])
  expect([sizes(cursor), sizes(link)]).toEqual([
    [10, 250],
    [10, 250],
  ])
  expect(resumedSize(page, { ...begun, pages: 0 }, 250)).toBe(250)
})

it.each([
  ['<https://a.example/x?page=2>; rel="next"', 'https://a.example/x?page=2'],
  ['</x?p=1>; rel="prev", </x?p=3>; rel=next; title="a, b"', '/x?p=3'],
  ['</x>; title="rel=next", </y>; rel="last next"', '/y'],
  ['</x>; rel="nextish"', null],
  ['', null],
  [undefined, null],
])('reads the next page of the Link header %s', (header, next) => {
  expect(nextLink(header)).toBe(next)
})
