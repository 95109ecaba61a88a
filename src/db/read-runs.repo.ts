import { sql } from 'kysely'
import type { ReadRun } from '../core/extract/changed-mark.ts'
import type { ContentType, SourceProfile } from '../core/extract/source-profile.ts'
import type { Db } from './connect.ts'

export interface CompleteRead {
  readonly runId: number
  readonly profile: SourceProfile
  readonly since: string | null
  readonly startedAt: Date
  readonly endedAt: Date
}

/** The last runs that have read the whole list of a type into a dataset, without an error, the newest first. */
export async function completeReads(
  db: Db,
  list: { readonly source: string; readonly dataset: string; readonly type: string },
  most: number,
): Promise<readonly CompleteRead[]> {
  const { rows } = await sql<CompleteRead>`
    select r.id as "runId", r.profile, r.options -> 'since' ->> c.type as since,
      r.started_at as "startedAt", r.ended_at as "endedAt"
    from extract_checkpoint c
    join extract_run r on r.id = c.run_id
    where c.dataset = ${list.dataset}::text and c.type = ${list.type}::text and c.state = 'complete'
      and r.source = ${list.source}::text and r.status <> 'open'
      and not exists (
        select from extract_error e where e.run_id = c.run_id and e.type = c.type)
    order by r.id desc
    limit ${most}::integer`.execute(db)
  return rows
}

/** What the items of a run say of when they changed; undefined: it has no items. */
export async function changeValues(
  db: Db,
  { runId, since }: CompleteRead,
  { name, detail }: Pick<ContentType, 'name' | 'detail'>,
  field: string,
): Promise<ReadRun | undefined> {
  const { rows } = await sql<{ value: string | null; isFirst: boolean }>`
    select b.body #>> ${field.split('.')}::text[] as value, bool_or(i.position = 0) as "isFirst"
    from extract_item i
    join extract_body b on b.hash = i.content_hash
    where i.run_id = ${runId}::bigint and i.type = ${name}::text
    group by value`.execute(db)
  // Details are asked one after the other, and each may be newer than the list.
  const firstPage = detail === null ? rows.filter(({ isFirst }) => isFirst) : []
  return rows.length === 0
    ? undefined
    : { since, values: rows.flatMap(valueOf), firstPage: firstPage.flatMap(valueOf) }
}

function valueOf({ value }: { readonly value: string | null }): readonly string[] {
  return value === null ? [] : [value]
}
