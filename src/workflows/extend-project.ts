/**
 * Fetches what the matched items of a project state, page by page until nothing is missing.
 *
 *   ask a page ── more ──▶ ask a page … ── no more ──▶ done
 *      └── the service turns us away ──▶ failed with its code; another extension asks again
 *
 * Everything that is known stands in Postgres: an execution that is killed, cancelled or continued as new loses nothing.
 */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { ExtendActivities } from '../activities/activity-contracts.ts'
import type { ExtendProjectInput } from '../core/item-extension.ts'
import { outsideProfile } from './activity-options.ts'

const { extendItems } = proxyActivities<ExtendActivities>(outsideProfile)

export async function extendProject(input: ExtendProjectInput): Promise<void> {
  const extension = workflowInfo().firstExecutionRunId
  for (let pages = 1; ; pages += 1) {
    const { more } = await extendItems({ ...input, extension })
    if (!more) return
    setCurrentDetails(
      `**Fetching** ${input.properties.join(', ')} of the items of project ${input.projectId}: ${pages} pages asked.`,
    )
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof extendProject>(input)
  }
}
