/** One question to a service for the command `suggest`; a workflow only because its request needs a permit. */
import { proxyActivities } from '@temporalio/workflow'
import type { SuggestActivities } from '../activities/activity-contracts.ts'
import type { PropertySuggestions, TypeSuggestions } from '../core/suggestions.ts'
import { outsideProfile } from './activity-options.ts'

const activities = proxyActivities<SuggestActivities>(outsideProfile)

export async function suggestTypes(input: {
  readonly projectId: number
}): Promise<TypeSuggestions> {
  return activities.suggestTypes(input)
}

export async function suggestProperties(input: {
  readonly service: string
  readonly projectId: number
  readonly text: string
}): Promise<PropertySuggestions> {
  return activities.suggestProperties(input)
}
