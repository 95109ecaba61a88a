import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { lookupKey, lookupsOf } from '../core/matching/lookups.ts'
import type { LookupQuery } from '../core/matching/lookup-query.ts'
import { mapRecord, matchHashText } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import { sha256 } from './sha256.ts'
import { tellPlanner } from './table-statistics.ts'
import { holdAnswers } from './unused-answers.repo.ts'

const PAGE_SIZE = 2_000
/** The page before is written meanwhile, statement by statement. */
const LONGEST_BLOCK_MS = 5

/**
 * Writes the questions of every queued subject of a run that has no task yet. A lookup that exists is reused with its
 * answer; one that failed before is open again with all its attempts. Keyset pages, safe to repeat; the next one is
 * read and worked out while one is written.
 */
export async function writeRunLookups(db: Db, run: AskingRun, onPage: () => void): Promise<void> {
  let written = 0
  for (let page = await readPage(db, run, 0); page !== null;) {
    const [next] = await Promise.all([
      readPage(db, run, page.lastSubjectId),
      writePage(db, run.settings.service, page),
    ])
    written += page.subjects.length
    onPage()
    page = next
  }
  await tellPlanner(db, written, ['subject', 'lookup', 'subject_lookup'])
}

interface AskingRun {
  readonly id: number
  readonly settings: ProjectSettings
}

interface AskingPage {
  readonly lastSubjectId: number
  /** In order of their ids. */
  readonly subjects: readonly AskingSubject[]
  readonly asked: readonly AskedLookup[]
}

interface AskingSubject {
  readonly id: number
  /** Of the cells whose questions are written. */
  readonly askedHash: Buffer
  /** It was queued with other cells. */
  readonly isChanged: boolean
}

interface AskedLookup {
  readonly subjectId: number
  readonly position: number
  readonly query: LookupQuery
  readonly keyHash: Buffer
}

/** @returns null where there are no more */
async function readPage(
  db: Db,
  run: AskingRun,
  afterSubjectId: number,
): Promise<AskingPage | null> {
  const rows = await db
    .selectFrom('subject as s')
    .innerJoin('entry as e', 'e.id', 's.entry_id')
    .where('s.run_id', '=', run.id)
    .where('s.status', '=', 'QUEUED')
    .where('s.task_number', 'is', null)
    .where('s.id', '>', afterSubjectId)
    .select(['s.id', 'e.source', 's.asked_hash as askedHash'])
    // The order of the index (run_id, task_number, id), all with task_number null.
    .orderBy('s.task_number')
    .orderBy('s.id')
    .limit(PAGE_SIZE)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return null
  const subjects: AskingSubject[] = []
  const asked: AskedLookup[] = []
  let resumedAtMs = performance.now()
  for (const { id, source, askedHash: old } of rows) {
    const askedHash = sha256(matchHashText(source, run.settings))
    subjects.push({ id, askedHash, isChanged: old?.equals(askedHash) !== true })
    lookupsOf(mapRecord(source, run.settings), run.settings).forEach((query, position) => {
      asked.push({ subjectId: id, position, query, keyHash: sha256(lookupKey(query)) })
    })
    if (performance.now() - resumedAtMs < LONGEST_BLOCK_MS) continue
    await setImmediate()
    resumedAtMs = performance.now()
  }
  return { lastSubjectId: last.id, subjects, asked }
}

async function writePage(db: Db, service: string, { subjects, asked }: AskingPage): Promise<void> {
  const distinct = [...new Map(asked.map((one) => [one.keyHash.toString('hex'), one])).values()]
  // Equal order in every transaction: two runs that write the same lookups must not deadlock.
  distinct.sort((a, b) => Buffer.compare(a.keyHash, b.keyHash))
  await db.transaction().execute(async (tx) => {
    await holdAnswers(tx)
    await writeAskedHashes(
      tx,
      subjects.filter(({ isChanged }) => isChanged),
    )
    await dropFurtherNames(tx, subjects, asked)
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
    // Found by their keys first: joined, a table that grew a moment ago would be read as a whole for each page.
    await sql`
      with known as materialized (
        select id, key_hash from lookup
        where service = ${service}::text and key_hash = any(${distinct.map((one) => one.keyHash)}::bytea[])
      )
      insert into subject_lookup (subject_id, position, lookup_id)
      select fresh.subject_id, fresh.position, known.id
      from unnest(
        ${asked.map((one) => one.subjectId)}::bigint[],
        ${asked.map((one) => one.position)}::smallint[],
        ${asked.map((one) => one.keyHash)}::bytea[]
      ) as fresh (subject_id, position, key_hash)
      join known on known.key_hash = fresh.key_hash
      on conflict (subject_id, position) do update set lookup_id = excluded.lookup_id
      where subject_lookup.lookup_id <> excluded.lookup_id`.execute(tx)
  })
}

async function writeAskedHashes(tx: Db, subjects: readonly AskingSubject[]): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    update subject s set asked_hash = asked.hash
    from unnest(
      ${subjects.map(({ id }) => id)}::bigint[], ${subjects.map(({ askedHash }) => askedHash)}::bytea[]
    ) as asked (id, hash)
    where s.id = asked.id`.execute(tx)
}

/** Questions of names that the subjects, a page in order of their ids, have no more. */
async function dropFurtherNames(
  tx: Db,
  subjects: readonly AskingSubject[],
  asked: readonly AskedLookup[],
): Promise<void> {
  const names = new Map<number, number>()
  for (const { subjectId } of asked) names.set(subjectId, (names.get(subjectId) ?? 0) + 1)
  await sql`
    delete from subject_lookup sl
    using unnest(
      ${subjects.map(({ id }) => id)}::bigint[], ${subjects.map(({ id }) => names.get(id) ?? 0)}::integer[]
    ) as now (subject_id, names)
    where sl.subject_id = now.subject_id and sl.position >= now.names
      -- The same once more as a range, which is looked up by the index however little is known of the table.
      and sl.subject_id >= ${subjects[0]?.id ?? 0}::bigint and sl.subject_id <= ${subjects.at(-1)?.id ?? 0}::bigint`.execute(
    tx,
  )
}
