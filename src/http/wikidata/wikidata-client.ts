/** Wikidata as one project asks it for candidates: lookups one a request. */
import type { LookupQuery } from '../../core/matching/lookup-query.ts'
import { cleanText } from '../clean-text.ts'
import { askLookups, type AskedLookups, type SentReading } from '../reconciliation/ask-lookups.ts'
import type { LookupAnswer } from '../reconciliation/batch-protocol.ts'
import type { LookupResult, LookupToAsk } from '../reconciliation/lookup-result.ts'
import type { AskOptions } from '../reconciliation/reconciliation-client.ts'
import { createRefusalRow } from '../reconciliation/refusal-row.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import type { ActionApi, ActionCall } from './action-api.ts'
import { foundList } from './found-items.ts'
import { labelSearchParams, readLabelSearch } from './search-by-label.ts'
import { readTextSearch, textSearchParams } from './search-text.ts'

/** A longer answer is used but not kept, as for other services. */
const LONGEST_RAW_JSON = 256 * 1024

export interface WikidataClient {
  /**
   * Whether it is there and takes our token.
   * @returns the version of its software, such as `MediaWiki 1.45.0`; null where it does not say
   * @throws OutsideCallError, kind `endpoint` when it turns us away.
   */
  check(call: Omit<ActionCall, 'params'>): Promise<string | null>
  /**
   * Like `ReconciliationClient.ask`; candidates of the answers are known by id only. One that is given by its id is not
   * asked for: it shows when its item is fetched whether it is there.
   */
  ask(lookups: readonly LookupToAsk[], options: AskOptions): Promise<AskedLookups>
}

export function createWikidataClient(api: ActionApi): WikidataClient {
  const refusals = createRefusalRow()

  async function search(
    { id, query, attempts = 0 }: LookupToAsk,
    { signal, onAttempt }: AskOptions,
  ): Promise<SentReading<LookupAnswer>> {
    const { params, read } = searchOf(query)
    const answer = await api(
      {
        params,
        signal,
        attempt: 1 + attempts,
        onExchange: (exchange) => onAttempt?.({ ...exchange, lookupIds: [id] }),
      },
      (body): LookupAnswer | undefined => {
        const list = read(body, query.limit)
        return list && { list, rawJson: rawJsonOf(body) }
      },
    )
    return { answers: [answer], warnings: [], language: query.language ?? null }
  }

  return {
    check: (call) =>
      api({ ...call, params: { action: 'query', meta: 'siteinfo|userinfo' } }, readGenerator),

    async ask(lookups, ask) {
      const deliver = ask.onAnswer ?? (() => {})
      const given = lookups.filter(isById).map(givenAnswer)
      if (given.length > 0) await deliver(given)
      const asked = await askLookups(
        {
          batchSize: () => 1,
          async send([lookup]) {
            return lookup === undefined ? { answers: [], warnings: [] } : search(lookup, ask)
          },
          answered: () => refusals.answered(),
          failed(_, error) {
            if (error.kind === 'permanent') refusals.refused(error)
          },
        },
        lookups.filter((lookup) => !isById(lookup)),
        deliver,
      )
      return { ...asked, results: [...given, ...asked.results] }
    },
  }
}

/** The call that asks a lookup; null: it is not asked, its item is fetched. */
export function lookupParams(query: LookupQuery): ActionCall['params'] | null {
  return query.search === 'id' ? null : searchOf(query).params
}

function searchOf({ query, search, language = 'en', limit }: LookupQuery) {
  const text = cleanText(query)
  return search === 'text'
    ? { params: textSearchParams(text, limit), read: readTextSearch }
    : { params: labelSearchParams(text, language, limit), read: readLabelSearch }
}

function isById({ query }: LookupToAsk): boolean {
  return query.search === 'id'
}

function givenAnswer({ id, query }: LookupToAsk): LookupResult {
  const list = foundList([{ id: query.query, name: null }], false)
  return { id, status: 'answered', list, rawJson: null, language: null }
}

function rawJsonOf(body: JsonObject): string | null {
  const json = JSON.stringify(body)
  return json.length > LONGEST_RAW_JSON ? null : json
}

function readGenerator(body: JsonObject): string | null {
  const query = field(body, 'query')
  const general = isJsonObject(query) ? field(query, 'general') : undefined
  const generator = isJsonObject(general) ? field(general, 'generator') : undefined
  return typeof generator === 'string' ? generator.slice(0, 100) : null
}
