import { sql } from 'kysely'
import type { Db } from './connect.ts'

export type MatchedBy = 'all' | 'judged' | 'automatic'

/** A value of a property that a matched item states, with the record that it was matched for. */
export interface StatedFile {
  readonly entry: string
  readonly item: string
  readonly property: string
  readonly value: string
}

/**
 * What a project's matched items state for these properties, in the order of its records. Values that were never
 * fetched are not there.
 */
export async function statedFiles(
  db: Db,
  question: {
    readonly projectId: number
    readonly service: string
    readonly properties: readonly string[]
    readonly by: MatchedBy
  },
): Promise<readonly StatedFile[]> {
  const { projectId, service, properties, by } = question
  const { rows } = await sql<StatedFile>`
    select r.external_id as entry, v.external_id as item, v.property, one.value #>> '{}' as value
    from result r
    join item_value v on v.service = ${service}::text and v.external_id = r.match_qid
      and v.property = any(${properties}::text[])
    cross join lateral jsonb_array_elements(v.held) with ordinality as one (value, nth)
    where r.project_id = ${projectId}::bigint and r.match_qid is not null
      and coalesce(r.service, ${service}::text) = ${service}::text
      and jsonb_typeof(one.value) = 'string'
      and (${by}::text = 'all' or (${by}::text = 'judged') = (r.judgment_id is not null))
    order by r.position, r.external_id, v.property, one.nth`.execute(db)
  return rows
}
