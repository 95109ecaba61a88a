/** One question to a service that a person waits for; a workflow only because its request needs a permit. */
import { proxyActivities } from '@temporalio/workflow'
import type { SuggestActivities } from '../activities/activity-contracts.ts'
import type { FoundItems, PropertySuggestions, TypeSuggestions } from '../core/suggestions.ts'
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

/** @param input what is searched for is in the database: no text of a person is in a payload */
export async function searchItems(input: { readonly searchId: number }): Promise<FoundItems> {
  return activities.searchItems(input)
}
