/**
 * What a person wants to be done after a run: a workflow of its own, so that a slow command or an address that is away
 * keeps neither the run open nor the next one waiting. It writes nothing of the run.
 */
import { proxyActivities } from '@temporalio/workflow'
import type { EndActivities } from '../activities/activity-contracts.ts'
import { outsideProfile } from './activity-options.ts'

const { runEndActions } = proxyActivities<EndActivities>(outsideProfile)

export interface EndOfRunInput {
  readonly runId: number
}

/** @returns how each went: `done`, or the code of its trouble */
export async function endOfRun(input: EndOfRunInput): Promise<Readonly<Record<string, string>>> {
  return runEndActions(input)
}
