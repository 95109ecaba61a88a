/**
 * The queued records of a task, page by page, with all that is needed to decide them. Records with the same first
 * question come together, so that what answers them is read once.
 */
import { type RawBuilder, sql } from 'kysely'
import type { AskedRecord } from '../core/matching/judge-alike.ts'
import type { SubjectAnswer } from '../core/matching/judge-subject.ts'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { RecordPast } from '../core/matching/record-past.ts'
import type { Db } from './connect.ts'
import { isJudgedSubject } from './current-judgment.ts'
import { prepared } from './prepared.ts'
import { recordPast } from './record-past.ts'
import { decidedBefore, type TaskKey } from './task-subjects.repo.ts'

/** A queued record of a task. */
export interface TaskSubject extends AskedRecord {
  readonly subjectId: number
  /** Hex of the match hash of the cells that were asked about; a row imported since is due again. */
  readonly askedHash: string
  /** An answer of it that the run could not renew, so that the old one stays in use; null: none. */
  readonly refreshFailure: RefreshFailure | null
}

export interface RefreshFailure {
  readonly code: string
  readonly message: string
  /** Day of the answer that stays in use, `2026-10-01`. */
  readonly answeredOn: string
}

/** A place in the order of a task's records. */
export interface TaskPlace {
  /** Of its first question; 0: it has none. */
  readonly lookupId: number
  readonly subjectId: number
}

export function isBefore(one: TaskPlace, other: TaskPlace): boolean {
  return one.lookupId === other.lookupId
    ? one.subjectId < other.subjectId
    : one.lookupId < other.lookupId
}

export interface PageQuestion {
  readonly places: readonly TaskPlace[]
  /** Of the settings by which they are to be decided. */
  readonly settingsRevision: number
}

interface PageRow {
  readonly subjectId: number
  readonly cells: Cells
  readonly askedHash: string
  readonly past: RecordPast
  /** Position and lookup of each name, in order. */
  readonly asked: readonly (readonly [number, number])[]
}

interface KnownAnswer extends SubjectAnswer {
  readonly id: number
  readonly refreshFailure: RefreshFailure | null
}

/** Places of all queued records of a task, in its order; looked up once, as each page would have to sort all that follow. */
export async function taskPlaces(db: Db, key: TaskKey): Promise<readonly TaskPlace[]> {
  const { rows } = await sql<TaskPlace>`
    select coalesce(main.lookup_id, 0) as "lookupId", s.id as "subjectId"
    from ${queued(key)}
    order by 1, 2`.execute(db)
  return rows
}

/** What follows `from`: queued records `s` of a task, each with its main question `main`. Further conditions may follow. */
function queued(key: TaskKey): RawBuilder<unknown> {
  return sql`
    subject s left join subject_lookup main on main.subject_id = s.id and main.position = 0
    where s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer and s.status = 'QUEUED'`
}

/**
 * Reads the records of some places, and marks them as those being decided (`task-marker.repo.ts`).
 * @returns those that are still queued, in the order of their places
 */
export async function takePage(
  db: Db,
  key: TaskKey,
  question: PageQuestion,
): Promise<readonly TaskSubject[]> {
  const rows = await pageRows(db, key, question)
  const ids = new Set(rows.flatMap(({ asked }) => asked.map(([, lookupId]) => lookupId)))
  const answers = await answersById(db, key, [...ids])
  return rows.map((row) => {
    const known = row.asked.flatMap(([position, lookupId]) => {
      const answer = answers.get(lookupId)
      return answer === undefined ? [] : [{ ...answer, position }]
    })
    return toSubject(row, known)
  })
}

/**
 * Reads the records of a task of few with their answers, and marks them, in one statement.
 * @returns null where a task is not to be decided just so: its run is closed, being cancelled or paused, or an earlier
 *   attempt may have died of one of its records, or one is judged already
 */
export async function takeQuickPage(
  db: Db,
  key: TaskKey,
  { pageSize, settingsRevision }: { readonly pageSize: number; readonly settingsRevision: number },
): Promise<readonly TaskSubject[] | null> {
  const { rows } = await sql<
    (PageRow & { readonly answers: readonly KnownAnswer[] }) | { readonly subjectId: null }
  >`${prepared}
    with calm as (
      select r.id, r.started_at from run r join task t on t.run_id = r.id and t.number = ${key.task}::integer
      where r.id = ${key.runId}::bigint and r.status = 'open' and r.cancel_requested_at is null
        and r.paused_reason is null and t.marked_subject_id is null
        and not exists (
          select from subject s where s.id = any(${decidedBefore(key)}) and ${isJudgedSubject})
    ),
    page as (
      select s.id, s.project_id, s.entry_id, coalesce(s.asked_hash, s.match_hash) as asked_hash,
        coalesce(main.lookup_id, 0) as lookup_id
      from ${queued(key)} and exists (select from calm)
      order by 5, 1 limit ${pageSize}::integer
    ),
    ${marked(key, sql`(select id from page order by lookup_id desc, id desc limit 1)`)}
    select s.id as "subjectId", e.source as cells,
      encode(s.asked_hash, 'hex') as "askedHash", ${recordPast(settingsRevision)} as past,
      coalesce((
        select json_agg(json_build_object('position', sl.position, 'id', l.id, 'status', l.status,
          'list', l.answer, 'errorCode', l.error_code, 'errorMessage', l.error_message,
          'refreshFailure', ${refreshFailure(sql`calm`)}) order by sl.position)
        from subject_lookup sl join lookup l on l.id = sl.lookup_id where sl.subject_id = s.id), '[]') as answers
    from calm left join (page s join entry e on e.id = s.entry_id) on true
    order by s.lookup_id, s.id`.execute(db)
  if (rows.length === 0) return null
  return rows.flatMap((row) => (row.subjectId === null ? [] : [toSubject(row, row.answers)]))
}

function toSubject(
  { subjectId, cells, askedHash, past }: Omit<PageRow, 'asked'>,
  answers: readonly KnownAnswer[],
): TaskSubject {
  const failed = answers.find((one) => one.refreshFailure !== null)?.refreshFailure ?? null
  const lookupIds = answers.map(({ id }) => id)
  return { subjectId, cells, askedHash, past, answers, lookupIds, refreshFailure: failed }
}

async function pageRows(
  db: Db,
  key: TaskKey,
  { places, settingsRevision }: PageQuestion,
): Promise<readonly PageRow[]> {
  const ids = places.map(({ subjectId }) => subjectId)
  // Put in order here: a join with their places would compare each with each wherever PostgreSQL expects one row.
  const { rows } = await sql<PageRow>`
    with page as (
      select s.id, s.project_id, s.entry_id, coalesce(s.asked_hash, s.match_hash) as asked_hash
      from subject s
      where s.id = any(${ids}::bigint[])
        and s.run_id = ${key.runId}::bigint and s.task_number = ${key.task}::integer and s.status = 'QUEUED'
    ),
    ${marked(key, sql`${ids.at(-1) ?? null}::bigint`)}
    select s.id as "subjectId", e.source as cells,
      encode(s.asked_hash, 'hex') as "askedHash", ${recordPast(settingsRevision)} as past,
      coalesce((
        select json_agg(json_build_array(sl.position, sl.lookup_id) order by sl.position)
        from subject_lookup sl where sl.subject_id = s.id), '[]') as asked
    from page s join entry e on e.id = s.entry_id`.execute(db)
  const byId = new Map(rows.map((row) => [row.subjectId, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Part of a statement, after its part `page`: the task's mark. @param last record of the page */
function marked(key: TaskKey, last: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    marked as (
      update task set marked_subject_id = ${last}
      where run_id = ${key.runId}::bigint and number = ${key.task}::integer
        and exists (select from page)
    )`
}

/** Each answer once, however many records it is for. */
async function answersById(
  db: Db,
  { runId }: TaskKey,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Omit<KnownAnswer, 'position'>>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Omit<KnownAnswer, 'position'>>`
    select l.id, l.status, l.answer as list, l.error_code as "errorCode", l.error_message as "errorMessage",
      ${refreshFailure(sql`r`)} as "refreshFailure"
    from lookup l join run r on r.id = ${runId}::bigint
    where l.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Of lookup `l`. @param run that could not renew its answer */
function refreshFailure(run: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when l.refresh_failed_at >= ${run}.started_at then json_build_object(
    'code', l.error_code, 'message', l.error_message,
    'answeredOn', to_char(l.answered_at at time zone 'UTC', 'YYYY-MM-DD')) end`
}
