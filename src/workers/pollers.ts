import type { WorkerOptions } from '@temporalio/worker'

/** The SDK's own default, which it refuses where it is more than the maximum. */
const MOST_AT_FIRST = 5

/**
 * How many requests for work a worker keeps open at Temporal: so many of each kind, or, for `auto`, as many as the server says
 * are of use, one at least.
 * @param setting `auto`, or a whole number from 2
 * @param activities that the worker has in flight at most; it never asks for more at once
 */
export function pollersOf(
  setting: string,
  activities: number,
): Pick<WorkerOptions, 'activityTaskPollerBehavior' | 'workflowTaskPollerBehavior'> {
  if (setting === 'auto') {
    return {
      activityTaskPollerBehavior: {
        type: 'autoscaling',
        maximum: activities,
        initial: Math.min(MOST_AT_FIRST, activities),
      },
      workflowTaskPollerBehavior: { type: 'autoscaling' },
    }
  }
  const maximum = Number(setting)
  return {
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: Math.min(maximum, activities) },
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum },
  }
}
