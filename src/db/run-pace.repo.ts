import { sql } from 'kysely'
import type { TaskPace } from '../core/task-size.ts'
import type { Db } from './connect.ts'

/** How fast the service of a run answers, and may be asked. */
export type ServicePace = Pick<TaskPace, 'latencyMs' | 'ratePerS'>

/** Of limiters that are not looking for a rate any more. */
const SETTLED_MODES = ['hold', 'fixed']

export const unknownPace: ServicePace = { latencyMs: null, ratePerS: null }

/** By the domain that the run asked last; what its limiter does not tell yet, that request does. */
export async function readServicePace(db: Db, runId: number): Promise<ServicePace> {
  const { rows } = await sql<ServicePace>`
    select coalesce((d.snapshot ->> 'avgLatency')::float8, asked.duration_ms) as "latencyMs",
      case when d.snapshot ->> 'mode' = any(${SETTLED_MODES}::text[])
        then nullif((d.snapshot ->> 'fillRate')::float8, 0) end as "ratePerS"
    from (
      select domain, duration_ms from attempt
      where run_id = ${runId}::bigint and outcome = 'ok'
      order by attempted_at desc limit 1) as asked
    left join domain_limit d on d.domain = asked.domain`.execute(db)
  return rows[0] ?? unknownPace
}
