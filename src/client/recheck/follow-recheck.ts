import { countItemStates, type MatchedItems } from '../../db/item-states.repo.ts'
import { serviceWaitTexts } from '../match/domain-wait.ts'
import { followWorkflow } from '../match/follow-workflow.ts'
import type { MatchContext } from '../match/match-context.ts'
import type { RecheckHandle } from './start-recheck.ts'

/** Shows how far a recheck is until it has ended, or until Ctrl-C, which leaves it going. */
export async function followRecheck(
  context: MatchContext,
  handle: RecheckHandle,
  matched: MatchedItems,
  since: string,
): Promise<'ended' | 'left'> {
  const end = await followWorkflow(context, handle, async () => {
    const { items, unchecked } = await countItemStates(context.db, matched, since)
    const wait = await serviceWaitTexts(context, matched.service)
    return { text: [`${items - unchecked}/${items} items checked`, ...wait].join(' · ') }
  })
  return end === 'left' ? 'left' : 'ended'
}
