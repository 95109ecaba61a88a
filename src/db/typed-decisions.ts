/**
 * Decisions by the type of their item. Few of a rare type are near each other in any order, so they are found first and
 * looked up by their ids; a common one is met soon enough record by record.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** More than these are common: a page of them is read from at most a few thousand records of a project of 100,000. */
export const MOST_RARE = 5_000

/**
 * The decisions of a project whose item is of a type.
 * @returns ids; undefined: the type is common
 */
export async function decisionsOfType(
  db: Db,
  projectId: number,
  type: string,
): Promise<readonly number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select d.id from item i
    join decision d on d.external_id = i.external_id and d.service = i.service
    join subject s on s.decision_id = d.id
    where i.types @> ${statedType(type)}::jsonb and s.project_id = ${projectId}::bigint
    limit ${MOST_RARE + 1}::integer`.execute(db)
  return rows.length > MOST_RARE ? undefined : rows.map(({ id }) => id)
}

/**
 * A condition on decision `d`. Of a common type asked record by record, as a page needs them: as a set, the planner reads all
 * decisions with their evidence first.
 * @param rare decisions of the type; undefined: it is common
 */
export function isOfType(type: string, rare: readonly number[] | undefined): RawBuilder<boolean> {
  if (rare !== undefined) return sql`d.id = any(${rare}::bigint[])`
  return sql`coalesce((select i.types @> ${statedType(type)}::jsonb from item i
    where i.service = d.service and i.external_id = d.external_id), false)`
}

function statedType(type: string): string {
  return JSON.stringify([{ id: type }])
}
