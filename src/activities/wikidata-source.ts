import { LOOKUPS_TOGETHER } from '../core/wikidata/wikidata-service.ts'
import { WIKIDATA_FACTS } from '../db/services.repo.ts'
import { type ActionApiOptions, createActionApi } from '../http/wikidata/action-api.ts'
import { fetchItems } from '../http/wikidata/fetch-items.ts'
import { createWikidataStates } from '../http/wikidata/item-states.ts'
import { createWikidataValues } from '../http/wikidata/item-values.ts'
import { suggestWikidataProperties } from '../http/wikidata/suggest-properties.ts'
import { createWikidataClient } from '../http/wikidata/wikidata-client.ts'
import type { CheckedService, KnownService } from './known-service.ts'

/** Wikidata through its Action API. */
export function createWikidataSource(options: ActionApiOptions): KnownService {
  const api = createActionApi(options)
  const client = createWikidataClient(api)
  let checked: CheckedService | undefined
  return {
    url: options.url,
    silence: null,
    async check(call, afresh = false) {
      if (checked === undefined || afresh) checked = found(await client.check(call))
      return checked
    },
    ask: (lookups, ask) => client.ask(lookups, ask),
    fetchItems: (fetch, call) => fetchItems(api, fetch, call),
    values: createWikidataValues(api),
    states: createWikidataStates(api),
    suggestProperties: (text, language, call) =>
      suggestWikidataProperties(api, text, language, call),
  }
}

function found(version: string | null): CheckedService {
  return {
    about: {
      ...WIKIDATA_FACTS,
      name: 'Wikidata',
      versions: ['Action API'],
      serviceVersion: version,
      batchSize: 1,
    },
    batchSize: LOOKUPS_TOGETHER,
  }
}
