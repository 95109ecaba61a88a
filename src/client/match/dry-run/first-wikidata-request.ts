import type { LookupQuery } from '../../../core/matching/lookup-query.ts'
import { MOST_ITEMS_TOGETHER } from '../../../core/wikidata/fetch-plan.ts'
import { itemNeeds } from '../../../core/wikidata/item-needs.ts'
import { encodeCall } from '../../../http/wikidata/action-api.ts'
import { itemParams } from '../../../http/wikidata/fetch-items.ts'
import { lookupParams } from '../../../http/wikidata/wikidata-client.ts'
import type { DryRunRequest } from './dry-run-report.ts'
import { type ShownRequest, shownRequest } from './first-request.ts'

/**
 * The first search; where all items are given, the fetch of the first of them.
 * @param queries of the first task, in their order, at least one
 */
export function firstWikidataRequest(
  { project, wikidataToken, identity }: DryRunRequest,
  url: string,
  queries: readonly LookupQuery[],
): ShownRequest {
  const search = queries.map(lookupParams).find((params) => params !== null)
  const ids = [...new Set(queries.map(({ query }) => query))].toSorted()
  const wanted = itemNeeds(project.settings).candidates
  const params = search ?? itemParams({ ids: ids.slice(0, MOST_ITEMS_TOGETHER), wanted })
  return shownRequest(encodeCall({ url, accessToken: wikidataToken }, params), identity)
}
