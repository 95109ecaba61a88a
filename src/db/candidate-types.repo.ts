import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** A list that is chosen from; whoever wants another type names it in the address. */
const MOST_TYPES = 30

export interface CandidateType {
  readonly id: string
  /** Null: the service gave it no name. */
  readonly name: string | null
  /** Whose best candidate is of it. */
  readonly records: number
}

/** The commonest types of best candidates in a project; a record counts for each type of its candidate. */
export async function candidateTypes(db: Db, projectId: number): Promise<readonly CandidateType[]> {
  const { rows } = await sql<CandidateType>`
    with told as (
      select i.types, count(*) as records
      from subject s
      join decision d on d.id = s.decision_id
      join item i on i.service = d.service and i.external_id = d.external_id
      where s.project_id = ${projectId}::bigint and s.outcome is not null and i.types <> '[]'::jsonb
      group by i.types
    )
    select type ->> 'id' as id, max(type ->> 'name') as name, sum(records)::integer as records
    from told, jsonb_array_elements(told.types) as type
    group by 1 order by 3 desc, 1 limit ${MOST_TYPES}::integer`.execute(db)
  return rows
}
