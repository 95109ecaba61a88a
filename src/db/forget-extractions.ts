import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Deletes what extractions have kept of a dataset, and the contents that no other one has. */
export async function forgetExtractions(tx: Db, datasetName: string): Promise<void> {
  const { rows } = await sql<{ runId: number }>`
    with gone as (
      delete from extract_checkpoint where dataset = ${datasetName}::text returning run_id, type
    ),
    errors as (
      delete from extract_error e using gone where e.run_id = gone.run_id and e.type = gone.type
    )
    select distinct run_id as "runId" from gone`.execute(tx)
  if (rows.length === 0) return
  await sql`
    delete from extract_run r
    where r.id = any(${rows.map(({ runId }) => runId)}::bigint[])
      and not exists (select from extract_checkpoint c where c.run_id = r.id)`.execute(tx)
  await sql`
    delete from extract_body b
    where not exists (select from extract_item i where i.content_hash = b.hash)`.execute(tx)
}
