import type { Db } from './connect.ts'

export interface QueueDepth {
  readonly queue: string
  readonly state: string
  readonly jobs: number
}

/** Jobs that are not over, by queue; a queue without any is not in it. */
export async function queueDepths(db: Db): Promise<readonly QueueDepth[]> {
  const rows = await db
    .selectFrom('jobs')
    .where('state', 'in', ['queued', 'in_progress'])
    .groupBy(['queue', 'state'])
    .select(({ fn }) => ['queue', 'state', fn.countAll<string>().as('jobs')])
    .execute()
  return rows.map(({ queue, state, jobs }) => ({ queue, state, jobs: Number(jobs) }))
}
