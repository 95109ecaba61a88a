/**
 * Fetches what the matched items of a project state, page by page until nothing is missing.
 *
 *   ask a page ── more ──▶ ask a page … ── no more ──▶ done, or, where wanted, the images
 *      └── the service turns us away ──▶ failed with its code; another extension asks again
 *
 *   look for a page of images ── some could not be asked ──▶ wait ──▶ again, at most 3 times, then they count as failed
 *      └── no more ──▶ done
 *
 * Everything that is known stands in Postgres: an execution that is killed, cancelled or continued as new loses nothing.
 */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { ExtendActivities, ImageActivities } from '../activities/activity-contracts.ts'
import type { ExtendProjectInput } from '../core/item-extension.ts'
import { retryDelayMs } from '../core/retry-delay.ts'
import { outsideProfile } from './activity-options.ts'
import { throwCancellation } from './cancel-wins.ts'
import { counted } from '../core/counted.ts'

const { extendItems, checkImages } = proxyActivities<ExtendActivities & ImageActivities>(
  outsideProfile,
)

export async function extendProject(input: ExtendProjectInput): Promise<void> {
  const extension = workflowInfo().firstExecutionRunId
  for (let pages = 1; ; pages += 1) {
    const { more } = await extendItems({ ...input, extension })
    if (!more) break
    setCurrentDetails(
      `**Fetching** ${input.properties.join(', ')} of the items of project ${input.projectId}: ${counted(pages, 'page')} asked.`,
    )
    if (workflowInfo().continueAsNewSuggested) {
      await throwCancellation()
      await continueAsNew<typeof extendProject>(input)
    }
  }
  if (input.imagesSince !== undefined) await lookForImages(input, input.imagesSince)
}

async function lookForImages(input: ExtendProjectInput, since: string): Promise<void> {
  const { projectId, properties, renewBefore } = input
  let tries = 1
  for (let pages = 1; ; pages += 1) {
    const question = { projectId, properties, renewBefore, since }
    const { more, failed } = await checkImages({ ...question, tries })
    if (!more) return
    setCurrentDetails(
      `**Looking** for images of the items of project ${projectId}: ${counted(pages, 'page')} asked.`,
    )
    if (failed > 0) await sleep(retryDelayMs(tries, Math.random()))
    tries = failed > 0 ? tries + 1 : 1
    if (workflowInfo().continueAsNewSuggested) {
      await throwCancellation()
      await continueAsNew<typeof extendProject>(input)
    }
  }
}
