import { sql } from 'kysely'
import { lookupKey, lookupsOf } from '../core/matching/lookups.ts'
import type { LookupQuery } from '../core/matching/lookup-query.ts'
import { mapRecord, matchHashText } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import { sha256 } from './sha256.ts'
import { holdAnswers } from './unused-answers.repo.ts'

const PAGE_SIZE = 1000

/**
 * Writes the questions of every queued subject of a run that has no task yet. A lookup that exists is reused with its
 * answer; one that failed before is open again with all its attempts. Keyset pages, safe to repeat.
 */
export async function writeRunLookups(
  db: Db,
  run: { readonly id: number; readonly settings: ProjectSettings },
  onPage: () => void,
): Promise<void> {
  let afterSubjectId = 0
  for (;;) {
    const page = await db
      .selectFrom('subject as s')
      .innerJoin('entry as e', 'e.id', 's.entry_id')
      .where('s.run_id', '=', run.id)
      .where('s.status', '=', 'QUEUED')
      .where('s.task_number', 'is', null)
      .where('s.id', '>', afterSubjectId)
      .select(['s.id', 'e.source'])
      // The order of the index (run_id, task_number, id), all with task_number null.
      .orderBy('s.task_number')
      .orderBy('s.id')
      .limit(PAGE_SIZE)
      .execute()
    const last = page.at(-1)
    if (last === undefined) return
    afterSubjectId = last.id
    const asked = page.flatMap((subject) =>
      lookupsOf(mapRecord(subject.source, run.settings), run.settings).map((query, position) => ({
        subjectId: subject.id,
        position,
        query,
        keyHash: sha256(lookupKey(query)),
      })),
    )
    const subjects = page.map(({ id, source }) => ({
      id,
      askedHash: sha256(matchHashText(source, run.settings)),
    }))
    await writePage(db, run.settings.service, subjects, asked)
    onPage()
  }
}

interface AskedLookup {
  readonly subjectId: number
  readonly position: number
  readonly query: LookupQuery
  readonly keyHash: Buffer
}

async function writePage(
  db: Db,
  service: string,
  subjects: readonly { readonly id: number; readonly askedHash: Buffer }[],
  asked: readonly AskedLookup[],
): Promise<void> {
  const distinct = [...new Map(asked.map((one) => [one.keyHash.toString('hex'), one])).values()]
  // Equal order in every transaction: two runs that write the same lookups must not deadlock.
  distinct.sort((a, b) => Buffer.compare(a.keyHash, b.keyHash))
  await db.transaction().execute(async (tx) => {
    await holdAnswers(tx)
    const ids = subjects.map(({ id }) => id)
    await sql`
      update subject s set asked_hash = asked.hash
      from unnest(${ids}::bigint[], ${subjects.map(({ askedHash }) => askedHash)}::bytea[]) as asked (id, hash)
      where s.id = asked.id`.execute(tx)
    await tx.deleteFrom('subject_lookup').where('subject_id', 'in', ids).execute()
    if (asked.length === 0) return
    await sql`
      insert into lookup (service, key_hash, query)
      select ${service}::text, fresh.key_hash, fresh.query
      from unnest(
        ${distinct.map((one) => one.keyHash)}::bytea[],
        ${distinct.map((one) => JSON.stringify(one.query))}::jsonb[]
      ) as fresh (key_hash, query)
      on conflict (service, key_hash) do update
      set status = 'missing', attempts = 0, next_attempt_at = null,
        error_kind = null, error_code = null, error_message = null
      where lookup.status = 'failed'`.execute(tx)
    await sql`
      insert into subject_lookup (subject_id, position, lookup_id)
      select fresh.subject_id, fresh.position, l.id
      from unnest(
        ${asked.map((one) => one.subjectId)}::bigint[],
        ${asked.map((one) => one.position)}::smallint[],
        ${asked.map((one) => one.keyHash)}::bytea[]
      ) as fresh (subject_id, position, key_hash)
      join lookup l on l.service = ${service}::text and l.key_hash = fresh.key_hash`.execute(tx)
  })
}
