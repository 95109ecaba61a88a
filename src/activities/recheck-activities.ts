import { cancellationSignal } from '@temporalio/activity'
import type { RequestBooks } from '../core/limiter/permit.ts'
import { MOST_RECHECK_TRIES } from '../core/item-recheck.ts'
import type { Db } from '../db/connect.ts'
import {
  type CheckedItem,
  isAnyPresent,
  type MatchedItems,
  markMovedJudgments,
  storeItemStates,
  uncheckedItems,
} from '../db/item-states.repo.ts'
import type { ItemStateAnswer } from '../http/item-state-source.ts'
import type { RecheckActivities } from './activity-contracts.ts'
import { existingProject } from './existing-project.ts'
import { withHeartbeat } from './heartbeat.ts'
import { onceStored } from './once-stored.ts'
import { recordExchange } from './record-exchange.ts'
import type { ServiceDirectory } from './service-directory.ts'
import { outsideFailure, withFailures } from './to-failure.ts'

/** Items of one activity: about ten requests. What it has asked when it is lost is asked again. */
const ITEMS_PER_PAGE = 100

export interface RecheckActivityDeps {
  readonly db: Db
  readonly services: ServiceDirectory
  readonly books: Pick<RequestBooks, 'settle'>
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export function createRecheckActivities(deps: RecheckActivityDeps): RecheckActivities {
  const { db, services, books, random } = deps
  return {
    recheckItems: ({ projectId, since, tries }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const { service } = (await existingProject(db, projectId)).settings
          const items: MatchedItems = { projectId, service }
          const ids = await uncheckedItems(db, items, since, ITEMS_PER_PAGE)
          if (ids.length === 0) {
            // Not page by page: what another project's recheck found out meanwhile counts here too.
            await markMovedJudgments(db, items)
            // Who looks at `limits` right after it is to see all its requests.
            await books.settle()
            return { more: false, failed: 0, canTell: true }
          }
          const answers = await services
            .find(service, projectId)
            .states.statesOf(ids, {
              signal: cancellationSignal(),
              onExchange: (exchange) => recordExchange(db, null, exchange, []),
            })
            .catch((error: unknown) => {
              throw outsideFailure(error, random())
            })
          const isFound = answers.some(({ state }) => state === 'present')
          const isAnswered = answers.some(({ state }) => state !== 'failed')
          if (isAnswered && !isFound && !(await isAnyPresent(db, service))) {
            return { more: false, failed: 0, canTell: false }
          }
          const isLast = tries >= MOST_RECHECK_TRIES
          const checked = answers.flatMap((answer) => checkedItem(answer, isLast) ?? [])
          await onceStored(() => storeItemStates(db, service, since, checked))
          return { more: true, failed: answers.length - checked.length, canTell: true }
        }),
      ),
  }
}

/** What could not be asked stays unchecked as long as another try may help. */
function checkedItem(answer: ItemStateAnswer, isLast: boolean): CheckedItem | undefined {
  if (answer.state !== 'failed') return answer
  return isLast || answer.error.kind === 'permanent'
    ? { id: answer.id, state: 'failed' }
    : undefined
}
