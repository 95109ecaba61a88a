/**
 * Stored answers that no record asks for any more: their project is gone, or the record has another name now. They hold
 * names, so they do not outlive what they were asked for.
 */
import { sql } from 'kysely'
import type { Db } from './connect.ts'

export interface ForgottenAnswers {
  /** Questions with their answers. */
  readonly answers: number
  /** Labels and descriptions of items of services that nobody uses any more. */
  readonly items: number
}

/** Planning shares it while it points records to questions, so that none is removed in between; any number. */
const USE_OF_ANSWERS = 5_117_004

/** Of one transaction: planning waits no longer than one takes. */
const PAGE_SIZE = 5_000

/** To be called in the transaction that points records to questions. */
export async function holdAnswers(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${USE_OF_ANSWERS}::bigint)`.execute(tx)
}

/** Deletes what no record refers to; what others share stays. Safe beside runs, and to repeat. */
export async function forgetUnusedAnswers(db: Db): Promise<ForgottenAnswers> {
  let answers = 0
  for (let afterId: number | null = 0; afterId !== null;) {
    const page = await forgetPage(db, afterId)
    answers += page.answers
    afterId = page.lastId
  }
  const { numAffectedRows = 0n } = await sql`
    delete from item where ${isUnused('item')}`.execute(db)
  await sql`delete from item_value where ${isUnused('item_value')}`.execute(db)
  await sql`delete from image_check where ${isUnused('image_check')}`.execute(db)
  return { answers, items: Number(numAffectedRows) }
}

/** Of rows that name a service: no project uses it, and no answer of it is left. */
function isUnused(table: 'item' | 'item_value' | 'image_check') {
  return sql`
    not exists (select 1 from lookup l where l.service = ${sql.table(table)}.service)
    and not exists (select 1 from project_setting p where p.settings->>'service' = ${sql.table(table)}.service)`
}

/** @returns the last id looked at; null when there are no more */
async function forgetPage(
  db: Db,
  afterId: number,
): Promise<{ readonly answers: number; readonly lastId: number | null }> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${USE_OF_ANSWERS}::bigint)`.execute(tx)
    const { rows } = await sql<{ answers: number; lastId: number | null }>`
      with looked_at as (
        select id from lookup where id > ${afterId}::bigint order by id limit ${PAGE_SIZE}::integer
      ),
      forgotten as (
        delete from lookup l using looked_at
        where l.id = looked_at.id
          and not exists (select 1 from subject_lookup sl where sl.lookup_id = l.id)
        returning l.id
      )
      select (select count(*) from forgotten)::integer as answers,
        (select max(id) from looked_at) as "lastId"`.execute(tx)
    return rows[0] ?? { answers: 0, lastId: null }
  })
}
