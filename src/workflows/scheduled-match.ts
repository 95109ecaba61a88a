/**
 * What a Temporal Schedule starts: it starts the match of a project by an activity, and ends. The match has the same
 * workflow id whoever starts it, so a schedule never makes a second run.
 */
import { proxyActivities } from '@temporalio/workflow'
import type { ScheduleActivities } from '../activities/activity-contracts.ts'
import type { ScheduledMatchInput, ScheduledMatchResult } from '../core/scheduled-match.ts'
import { planningProfile } from './activity-options.ts'

const { startScheduledMatch } = proxyActivities<ScheduleActivities>(planningProfile)

export async function scheduledMatch(input: ScheduledMatchInput): Promise<ScheduledMatchResult> {
  return startScheduledMatch(input)
}
