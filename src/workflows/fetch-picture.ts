/** The picture of a candidate that a person looks at; a workflow only because its requests need permits. */
import { proxyActivities } from '@temporalio/workflow'
import type { PictureActivities } from '../activities/picture-contract.ts'
import type { Picture } from '../core/picture.ts'
import { outsideProfile } from './activity-options.ts'

const activities = proxyActivities<PictureActivities>(outsideProfile)

export async function fetchPicture(input: {
  readonly projectId: number
  readonly item: string
}): Promise<Picture | null> {
  return activities.fetchPicture(input)
}
