import type { CandidateList } from '../core/matching/candidate.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import { dressAnswer } from '../core/wikidata/dress-answers.ts'
import { planFetches } from '../core/wikidata/fetch-plan.ts'
import { itemNeeds } from '../core/wikidata/item-needs.ts'
import { fillShelf, type ProvideItems } from '../core/wikidata/item-shelf.ts'
import type { Db } from '../db/connect.ts'
import { itemsToFetch, knownItems, storeItems } from '../db/item-facts.repo.ts'
import type { KnownService, ServiceCall } from './known-service.ts'
import { onceStored } from './once-stored.ts'

/**
 * Lists of candidates with what is known of them, outside any run; what is not known is fetched, and kept.
 * @throws OutsideCallError
 */
export async function dressedLists(
  db: Db,
  { fetchItems }: KnownService,
  settings: ProjectSettings,
  lists: readonly CandidateList[],
  call: ServiceCall,
): Promise<readonly CandidateList[]> {
  if (fetchItems === null) return lists
  const { service } = settings
  const known = knownItems(db, service)
  const provide: ProvideItems = async (ids, wanted) => {
    const before = await known(ids, wanted)
    const lacking = ids.filter((id) => before.get(id)?.status !== 'known')
    for (const fetch of planFetches(await itemsToFetch(db, service, lacking), wanted)) {
      const items = await fetchItems(fetch, call)
      await onceStored(() => storeItems(db, service, items))
    }
    return lacking.length === 0 ? before : known(ids, wanted)
  }
  const needs = { ...itemNeeds(settings), classes: null }
  const ids = lists.flatMap(({ candidates }) => candidates.map(({ id }) => id))
  const shelf = await fillShelf(ids, needs, provide)
  return lists.flatMap((list) => {
    const answer = { position: 0, status: 'answered', list, ...noError } as const
    return dressAnswer(answer, [], { shelf, needs }).list ?? []
  })
}

const noError = { errorCode: null, errorMessage: null }
