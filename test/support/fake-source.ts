/**
 * A JSON API with one list in every way that lists go on, on a real loopback port.
 *
 *   const source = await startFakeSource({ items: countedItems(250) })
 *   source.api.cap = 100                       // serves no more at once, whatever is asked
 *   source.profile('offset')                   // how it is asked
 *   source.listRequests()                      // `offset=0&limit=100`, …
 */
import type { ContentType, SourceProfile } from '../../src/core/extract/source-profile.ts'
import type { Paginator } from '../../src/core/extract/paginator.ts'
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
  startFakeService,
} from './fake-reconciliation-service.ts'

export type Item = Readonly<Record<string, unknown>>

/** What the source has and does now; tests change it. */
export interface FakeApi {
  items: readonly Item[]
  /** Rows of a page at most; null: as many as are asked. */
  cap: number | null
  /** Says `X-Total-Count`. */
  saysTotal: boolean
  /** Answers in place of the list or detail; undefined: as usual. */
  instead: (
    url: URL,
    request: FakeRequest,
  ) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>
}

export interface FakeSource {
  readonly service: FakeService
  readonly api: FakeApi
  profile(kind: Paginator['kind'], changes?: Partial<ContentType>): SourceProfile
  /** Queries of list requests that were answered or refused, in order of arrival. */
  listRequests(): readonly string[]
  /** Ids whose details were asked. */
  detailRequests(): readonly string[]
  close(): Promise<void>
}

const paginators: Readonly<Record<Paginator['kind'], Paginator>> = {
  none: { kind: 'none' },
  offset: { kind: 'offset', offsetParam: 'offset', limitParam: 'limit' },
  page: { kind: 'page', pageParam: 'page', sizeParam: 'per_page', firstPage: 1 },
  cursor: { kind: 'cursor', cursorParam: 'after', cursorPath: 'next', limitParam: 'limit' },
  link: { kind: 'link', limitParam: 'limit' },
}

export function countedItems(count: number, first = 0): readonly Item[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index
    return { id: `i${String(number).padStart(4, '0')}`, name: `Item ${number}` }
  })
}

let sources = 0

export async function startFakeSource(start: Partial<FakeApi> = {}): Promise<FakeSource> {
  const api: FakeApi = {
    items: [],
    cap: null,
    saysTotal: false,
    instead: () => undefined,
    ...start,
  }
  const service = await startFakeService(async (request) => {
    const url = new URL(request.path, 'http://source.test')
    return (await api.instead(url, request)) ?? answer(api, url)
  })
  const { origin } = new URL(service.url)
  const urls = () => service.requests.map(({ path }) => new URL(path, origin))
  return {
    service,
    api,
    profile: (kind, changes = {}) => {
      sources += 1
      return {
        // One extraction of a source runs at a time.
        name: `source-${process.pid}-${sources}`,
        baseUrl: origin,
        auth: { kind: 'none' },
        headers: {},
        types: [
          {
            name: 'items',
            path: `/list/${kind}`,
            params: {},
            items: kind === 'cursor' ? 'data' : '',
            id: 'id',
            paginator: paginators[kind],
            emptyPages: kind === 'cursor' || kind === 'link' ? 'continue' : 'end',
            total: { header: 'X-Total-Count' },
            detail: null,
            columns: null,
            ...changes,
          },
        ],
      }
    },
    listRequests: () =>
      urls()
        .filter(({ pathname }) => pathname.startsWith('/list/'))
        .map(({ search }) => search.slice(1)),
    detailRequests: () =>
      urls()
        .filter(({ pathname }) => pathname.startsWith('/items/'))
        .map(({ pathname }) => decodeURIComponent(pathname.slice('/items/'.length))),
    close: () => service.close(),
  }
}

function answer(api: FakeApi, url: URL): FakeAnswer {
  if (url.pathname.startsWith('/items/')) return detailAnswer(api, url)
  const { items, cap } = api
  const kind = url.pathname.replace('/list/', '')
  const number = (name: string, otherwise: number) =>
    Number(url.searchParams.get(name) ?? otherwise)
  const asked = number(kind === 'page' ? 'per_page' : 'limit', items.length)
  const size = kind === 'none' ? items.length : Math.min(asked, cap ?? asked)
  const starts: Readonly<Record<string, () => number>> = {
    none: () => 0,
    offset: () => number('offset', 0),
    page: () => (number('page', 1) - 1) * size,
    cursor: () => number('after', 0),
    link: () => number('after', 0),
  }
  const start = starts[kind]?.()
  if (start === undefined) return { status: 404, json: {} }
  const rows = items.slice(start, start + size)
  const end = start + rows.length
  const hasMore = end < items.length
  const headers = api.saysTotal ? { 'x-total-count': String(items.length) } : {}
  if (kind === 'cursor') {
    return { headers, json: { data: rows, next: hasMore ? String(end) : null } }
  }
  const next = `</list/link?limit=${asked}&after=${end}>; rel="next"`
  return {
    headers: { ...headers, ...(kind === 'link' && hasMore ? { link: next } : {}) },
    json: rows,
  }
}

function detailAnswer({ items }: FakeApi, url: URL): FakeAnswer {
  const id = decodeURIComponent(url.pathname.slice('/items/'.length))
  const item = items.find((one) => one['id'] === id)
  return item === undefined ? { status: 404, json: {} } : { json: { id, more: `More of ${id}` } }
}
