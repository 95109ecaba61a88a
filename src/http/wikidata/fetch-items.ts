import type { PlannedFetch } from '../../core/wikidata/fetch-plan.ts'
import { askedLanguages, type ItemFacts, type WantedFacts } from '../../core/wikidata/item-facts.ts'
import type { ActionApi, ActionCall } from './action-api.ts'
import { entityParams, fetchEntities } from './fetch-entities.ts'
import { readItem } from './read-item.ts'

/**
 * Items by id, only the wanted properties' statements and languages kept, and what people who review look at: it comes with
 * the same answer.
 * @throws OutsideCallError when the API does not answer: all of it is to be asked again
 */
export async function fetchItems(
  api: ActionApi,
  { ids, wanted }: PlannedFetch,
  call: Omit<ActionCall, 'params'>,
): Promise<readonly ItemFacts[]> {
  const found = await fetchEntities(api, ids, paramsOf(wanted), call)
  return [...found].map(([askedId, entity]) => readItem(askedId, entity, wanted))
}

/** The call that fetches items. */
export function itemParams({ ids, wanted }: PlannedFetch): ActionCall['params'] {
  return entityParams(ids, paramsOf(wanted))
}

function paramsOf({ languages, pids }: WantedFacts) {
  return {
    props: pids.length === 0 ? 'info|labels' : 'info|labels|aliases|descriptions|claims|sitelinks',
    languages: askedLanguages(languages).join('|'),
  }
}
