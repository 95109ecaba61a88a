/**
 * Asks what has become of the items that a project's records are matched with, page by page.
 *
 *   ask a page ── some could not be asked ──▶ wait ──▶ ask again, at most 3 times, then they count as failed
 *      ├── the service knows no item by its id ──▶ done: it cannot tell
 *      └── no more ──▶ done
 *
 * What is known stands in Postgres: an execution that is killed, cancelled or continued as new loses a page at most.
 */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { RecheckActivities } from '../activities/activity-contracts.ts'
import type { RecheckProjectInput, RecheckResult } from '../core/item-recheck.ts'
import { retryDelayMs } from '../core/retry-delay.ts'
import { outsideProfile } from './activity-options.ts'
import { throwCancellation } from './cancel-wins.ts'
import { counted } from '../core/counted.ts'

const { recheckItems } = proxyActivities<RecheckActivities>(outsideProfile)

export async function recheckProject(input: RecheckProjectInput): Promise<RecheckResult> {
  let tries = 1
  for (let pages = 1; ; pages += 1) {
    const { more, failed, canTell } = await recheckItems({ ...input, tries })
    if (!more) return { canTell, since: input.since }
    setCurrentDetails(
      `**Checking** the items of project ${input.projectId}: ${counted(pages, 'page')} asked.`,
    )
    if (failed > 0) await sleep(retryDelayMs(tries, Math.random()))
    tries = failed > 0 ? tries + 1 : 1
    if (workflowInfo().continueAsNewSuggested) {
      await throwCancellation()
      await continueAsNew<typeof recheckProject>(input)
    }
  }
}
