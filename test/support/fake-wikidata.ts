/**
 * A small Wikidata: the Action API as our client asks it, as a handler of the fake service.
 *
 *   const service = await startFakeService(fakeWikidata([entity('Q42', { labels: { en: 'Douglas Adams' } })]))
 */
import type { FakeAnswer, FakeHandler } from './fake-reconciliation-service.ts'

type Texts = Readonly<Record<string, string>>

export interface FakeEntity {
  readonly id: string
  readonly labels: Texts
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly descriptions: Texts
  readonly claims: Readonly<Record<string, readonly unknown[]>>
  /** Title of its page by site, `nlwiki`. */
  readonly sitelinks: Texts
}

export interface FakeWikidataOptions {
  /** Merged items: old id → new id. */
  readonly redirects?: Readonly<Record<string, string>>
  /** Found by searches, for these lag, but no longer there. */
  readonly gone?: readonly string[]
  /** Ids that end the call they are in, well formed or not. */
  readonly unreadable?: readonly string[]
}

const IDS_PER_CALL = 50
const MOST_FOUND = 50
const LONGEST_SEARCH = 300

export function entity(id: string, facts: Partial<Omit<FakeEntity, 'id'>> = {}): FakeEntity {
  return { id, labels: {}, aliases: {}, descriptions: {}, claims: {}, sitelinks: {}, ...facts }
}

/** A statement of one value; rank `normal`. */
export function statement(type: string, value: unknown, rank = 'normal'): unknown {
  return { rank, mainsnak: { snaktype: 'value', datavalue: { type, value } } }
}

/** An answer with status 200 that says no, as MediaWiki does. */
export function apiError(
  code: string,
  facts: { readonly headers?: Texts; readonly error?: object } = {},
): FakeAnswer {
  return {
    headers: { 'mediawiki-api-error': code, ...facts.headers },
    json: { error: { code, info: `${code} happened`, ...facts.error }, servedby: 'fake' },
  }
}

export function fakeWikidata(
  entities: readonly FakeEntity[],
  options: FakeWikidataOptions = {},
): FakeHandler {
  const byId = new Map(entities.map((one) => [one.id, one]))
  return ({ method, path, body }) => {
    const query = path.slice(path.indexOf('?') + 1)
    const params = new URLSearchParams(method === 'POST' ? body : query)
    switch (params.get('action')) {
      case 'wbsearchentities':
        return searchEntities(entities, params)
      case 'wbgetentities':
        return getEntities(byId, params, options)
      case 'query':
        return params.get('list') === 'search'
          ? searchText(entities, params)
          : { json: { query: { general: { generator: 'MediaWiki 1.45.0-fake' }, userinfo: {} } } }
      default:
        return apiError('badvalue')
    }
  }
}

function searchEntities(entities: readonly FakeEntity[], params: URLSearchParams): FakeAnswer {
  const text = (params.get('search') ?? '').toLowerCase()
  const language = params.get('language') ?? ''
  const limit = Math.min(MOST_FOUND, Number(params.get('limit') ?? 7))
  if (text === '') return apiError('missingparam')
  const letter = params.get('type') === 'property' ? 'P' : 'Q'
  const found = entities.flatMap((one) => {
    if (!one.id.startsWith(letter)) return []
    const match = namesIn(one, [language, 'mul', 'en']).find((name) =>
      name.text.toLowerCase().startsWith(text),
    )
    const label = one.labels[language] ?? one.labels['mul'] ?? one.labels['en']
    const shown = { label, description: one.descriptions[language] }
    return match === undefined
      ? []
      : [{ id: one.id, title: one.id, repository: 'wikidata', ...shown, match }]
  })
  return {
    json: {
      searchinfo: { search: text },
      search: found.slice(0, limit),
      ...(found.length > limit ? { 'search-continue': limit } : {}),
      success: 1,
    },
  }
}

function searchText(entities: readonly FakeEntity[], params: URLSearchParams): FakeAnswer {
  const text = params.get('srsearch') ?? ''
  const limit = Math.min(MOST_FOUND, Number(params.get('srlimit') ?? 10))
  if (Array.from(text).length > LONGEST_SEARCH) return apiError('cirrussearch-query-too-long')
  const statements = /^haswbstatement:"(.*)"$/.exec(text)?.[1]?.split('|')
  const found = entities.filter((one) =>
    statements === undefined ? hasWords(one, text) : statements.some((each) => has(one, each)),
  )
  return {
    json: {
      batchcomplete: true,
      query: {
        searchinfo: { totalhits: found.length },
        search: found.slice(0, limit).map(({ id }) => ({ ns: 0, title: id })),
      },
      ...(found.length > limit ? { continue: { sroffset: limit, continue: '-||' } } : {}),
    },
  }
}

function hasWords(one: FakeEntity, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const all = namesIn(one, [...Object.keys(one.labels), ...Object.keys(one.aliases)])
  const known = new Set(
    all.flatMap(({ text: name }) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  )
  return words.every((word) => known.has(word))
}

function has(one: FakeEntity, wanted: string): boolean {
  const [pid = '', value = ''] = wanted.split('=')
  return (one.claims[pid] ?? []).some((claim) =>
    JSON.stringify(claim).toLowerCase().includes(JSON.stringify(value).toLowerCase()),
  )
}

/** As a search by label says what it found. */
function namesIn(
  one: FakeEntity,
  languages: readonly string[],
): readonly { readonly type: string; readonly language: string; readonly text: string }[] {
  return languages.flatMap((language) => {
    const label = one.labels[language]
    return [
      ...(label === undefined ? [] : [{ type: 'label', language, text: label }]),
      ...(one.aliases[language] ?? []).map((text) => ({ type: 'alias', language, text })),
    ]
  })
}

function getEntities(
  byId: ReadonlyMap<string, FakeEntity>,
  params: URLSearchParams,
  { redirects = {}, gone = [], unreadable = [] }: FakeWikidataOptions,
): FakeAnswer {
  const ids = (params.get('ids') ?? '').split('|')
  const languages = (params.get('languages') ?? '').split('|')
  const sites = params.get('sitefilter')?.split('|')
  const hasLinks = (params.get('props') ?? '').split('|').includes('sitelinks')
  if (ids.length > IDS_PER_CALL) return apiError('too-many-ids')
  const bad = ids.find((id) => !/^Q[1-9]\d*$/.test(id) || unreadable.includes(id))
  if (bad !== undefined) return apiError('no-such-entity', { error: { id: bad } })
  const found = ids.map((id) => {
    const one = byId.get(redirects[id] ?? id)
    if (one === undefined || gone.includes(id)) return [id, { id, missing: '' }] as const
    const from = redirects[id] === undefined ? undefined : id
    const links = Object.entries(one.sitelinks)
      .filter(([site]) => sites?.includes(site) ?? true)
      .map(([site, title]) => [site, { site, title, badges: [] }] as const)
    const sitelinks = links.length === 0 ? [] : Object.fromEntries(links)
    return [id, { ...shown(one, languages, from), ...(hasLinks ? { sitelinks } : {}) }] as const
  })
  return { json: { entities: Object.fromEntries(found), success: 1 } }
}

function shown(one: FakeEntity, languages: readonly string[], from: string | undefined): object {
  const texts = (all: Texts): object =>
    Object.fromEntries(
      languages
        .filter((language) => all[language] !== undefined)
        .map((language) => [language, { language, value: all[language] }]),
    )
  return {
    type: 'item',
    id: one.id,
    lastrevid: 1_000 + Number(one.id.slice(1)),
    labels: texts(one.labels),
    descriptions: texts(one.descriptions),
    aliases: Object.fromEntries(
      languages.flatMap((language) =>
        one.aliases[language] === undefined
          ? []
          : [[language, one.aliases[language].map((value) => ({ language, value }))]],
      ),
    ),
    claims: one.claims,
    ...(from === undefined ? {} : { redirects: { from, to: one.id } }),
  }
}
