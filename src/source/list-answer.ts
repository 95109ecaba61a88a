import type { SourceRecord } from './record-shapes.ts'

export interface ListAnswer {
  readonly rows: readonly SourceRecord[]
  readonly headers: Readonly<Record<string, string>>
}

/** What is served at once where no limit is said. */
const DEFAULT_LIMIT = 100

/**
 * A page of a list as Looker's API serves it: `limit` and `offset`, or the older `page` and `per_page`; `sorts=FIELD`,
 * with ` desc` behind it; a bare array, with the total and the neighbours in its headers.
 * @param url as asked
 * @param mostRows on one page, whatever is asked; null: no bound
 */
export function pageAnswer(
  list: readonly SourceRecord[],
  url: URL,
  mostRows: number | null,
): ListAnswer {
  const params = url.searchParams
  const perPage = whole(params.get('per_page'))
  const asked = Math.max(1, perPage ?? whole(params.get('limit')) ?? DEFAULT_LIMIT)
  const limit = Math.min(asked, mostRows ?? asked)
  const page = Math.max(1, whole(params.get('page')) ?? 1)
  const offset = perPage === null ? (whole(params.get('offset')) ?? 0) : (page - 1) * limit
  const rows = sorted(list, params.get('sorts')).slice(offset, offset + limit)
  const to = (start: number, rel: string): string => {
    const other = new URL(url)
    for (const name of ['page', 'per_page']) other.searchParams.delete(name)
    other.searchParams.set('limit', String(limit))
    other.searchParams.set('offset', String(start))
    return `<${other.href}>; rel="${rel}"`
  }
  const last = Math.max(0, Math.ceil(list.length / limit) - 1) * limit
  const links = [
    to(0, 'first'),
    to(last, 'last'),
    ...(offset > 0 ? [to(Math.max(0, offset - limit), 'prev')] : []),
    ...(offset + limit < list.length ? [to(offset + limit, 'next')] : []),
  ]
  return {
    rows: picked(rows, params),
    headers: { 'x-total-count': String(list.length), link: links.join(', ') },
  }
}

/** A list that always comes whole. */
export function wholeAnswer(list: readonly SourceRecord[], url: URL): ListAnswer {
  return { rows: picked(list, url.searchParams), headers: {} }
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}

function sorted(list: readonly SourceRecord[], sorts: string | null): readonly SourceRecord[] {
  const [field = '', direction] = (sorts ?? '').split(' ')
  if (field === '') return list
  const sign = direction === 'desc' ? -1 : 1
  const text = (record: SourceRecord): string => JSON.stringify(record[field] ?? '')
  return list.toSorted((a, b) => sign * text(a).localeCompare(text(b), 'en', { numeric: true }))
}

function picked(rows: readonly SourceRecord[], params: URLSearchParams): readonly SourceRecord[] {
  const fields = params.get('fields')?.split(',') ?? []
  if (fields.length === 0) return rows
  return rows.map((row) => Object.fromEntries(fields.map((field) => [field, row[field] ?? null])))
}
