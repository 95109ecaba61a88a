import type { WorkerOptions } from '@temporalio/worker'

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
      activityTaskPollerBehavior: { type: 'autoscaling', maximum: activities },
      workflowTaskPollerBehavior: { type: 'autoscaling' },
    }
  }
  const maximum = Number(setting)
  return {
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: Math.min(maximum, activities) },
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum },
  }
}
