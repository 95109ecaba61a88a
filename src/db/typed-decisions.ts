/**
 * Decisions by the type of their item. Few of a rare type are near each other in any order, so they are found first and
 * looked up by their ids; a common one is met soon enough record by record.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** More than these are common: every few records there is one, whatever the project. Those of all rare ones are looked up in some 40 ms. */
export const MOST_RARE = 5_000

/** Ids of decisions, where a type is rare. */
export type OfType = readonly number[] | 'common'

/** The decisions of a project whose item is of a type. */
export async function decisionsOfType(db: Db, projectId: number, type: string): Promise<OfType> {
  const { rows } = await sql<{ id: number }>`
    select d.id from item i
    join decision d on d.external_id = i.external_id and d.service = i.service
    join subject s on s.decision_id = d.id
    where i.types @> ${statedType(type)}::jsonb and s.project_id = ${projectId}::bigint
    limit ${MOST_RARE + 1}::integer`.execute(db)
  return rows.length > MOST_RARE ? 'common' : rows.map(({ id }) => id)
}

/**
 * A condition on decision `d`. Of a common type asked record by record, as a page needs them: as a set, the planner reads all
 * decisions with their evidence first. The ids of a rare one as a table: the planner knows how many they are, and hashes them.
 */
export function isOfType(type: string, ofType: OfType): RawBuilder<boolean> {
  if (ofType !== 'common')
    return sql`d.id in (select listed.id from unnest(${ofType}::bigint[]) as listed (id))`
  return sql`coalesce((select i.types @> ${statedType(type)}::jsonb from item i
    where i.service = d.service and i.external_id = d.external_id), false)`
}

function statedType(type: string): string {
  return JSON.stringify([{ id: type }])
}
