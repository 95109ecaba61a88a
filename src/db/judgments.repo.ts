import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { readCursor } from './read-cursor.ts'
import type { JudgmentRow, Verdict } from './tables/judgment.table.ts'

/** What a person or a file says about a record. */
export interface IncomingJudgment {
  /** Line of the file, for messages. */
  readonly line: number
  /** Id of the record in its dataset. */
  readonly externalId: string
  readonly verdict: Verdict | 'undo'
  /** Only with `match`. */
  readonly qid: string | null
  readonly by: string
  /** null: now. */
  readonly at: Date | null
  readonly note: string | null
  /** What was judged, where it is known; null: the record as it is now. */
  readonly matchHash: Buffer | null
}

export interface AppendedJudgments {
  readonly written: number
  /** Said before, so not written again. */
  readonly unchanged: number
  readonly refused: readonly { readonly line: number; readonly reason: string }[]
}

/** The judgment that holds for a record. */
export interface CurrentJudgment {
  readonly externalId: string
  readonly verdict: Verdict
  readonly qid: string | null
  readonly by: string
  readonly at: Date
  readonly note: string | null
  readonly matchHash: Buffer
  /** The record, the mapping or the item changed since. */
  readonly stale: boolean
}

interface Judged {
  readonly subjectId: number
  readonly matchHash: Buffer
  readonly decisionId: number | null
  /** Oldest first; grows with what is appended. */
  readonly history: JudgmentRow[]
}

/**
 * Appends judgments in order, as one transaction. What is said already (the same as what holds, or with the same
 * person and time anywhere in the history) is not written twice, so a file can be imported again.
 */
export async function appendJudgments(
  db: Db,
  projectId: number,
  judgments: readonly IncomingJudgment[],
): Promise<AppendedJudgments> {
  return db.transaction().execute(async (tx) => {
    const records = await loadJudged(tx, projectId, [
      ...new Set(judgments.map((judgment) => judgment.externalId)),
    ])
    const ids = await reserveIds(tx, judgments.length)
    const now = new Date()
    const rows: JudgmentRow[] = []
    const refused: { line: number; reason: string }[] = []
    for (const [index, judgment] of judgments.entries()) {
      const record = records.get(judgment.externalId)
      if (record === undefined) {
        const reason = `id "${judgment.externalId}" is not a record of project ${projectId}`
        refused.push({ line: judgment.line, reason })
        continue
      }
      if (isSaid(record.history, judgment)) continue
      const holding = judgment.verdict === 'undo' ? current(record.history) : undefined
      if (judgment.verdict === 'undo' && holding === undefined) {
        refused.push({ line: judgment.line, reason: 'nothing is judged that could be undone' })
        continue
      }
      const row: JudgmentRow = {
        id: ids[index] ?? 0,
        subject_id: record.subjectId,
        verdict: judgment.verdict,
        external_id: judgment.qid,
        judged_by: judgment.by,
        judged_at: judgment.at ?? now,
        match_hash: judgment.matchHash ?? record.matchHash,
        note: judgment.note,
        undoes: holding?.id ?? null,
        decision_id: record.decisionId,
        act_id: null,
      }
      record.history.push(row)
      rows.push(row)
    }
    if (rows.length > 0) await tx.insertInto('judgment').values(rows).execute()
    const unchanged = judgments.length - rows.length - refused.length
    return { written: rows.length, unchanged, refused }
  })
}

/** The judgments that hold, in file order of the records. */
export async function readJudgments(
  db: Db,
  projectId: number,
  onPage: (page: readonly CurrentJudgment[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<CurrentJudgment>`
      select e.external_id as "externalId", j.verdict, j.external_id as qid, j.judged_by as by,
        j.judged_at as at, j.note, j.match_hash as "matchHash",
        j.match_hash <> s.match_hash or coalesce(s.item_changed_at > j.judged_at, false) as stale
      from subject s
      join current_judgment j on j.subject_id = s.id
      join entry e on e.id = s.entry_id
      where s.project_id = ${projectId}::bigint
      order by e.position, e.id`,
    onPage,
  )
}

/** Judgments of a project, undone ones and undos included. */
export async function countJudgments(db: Db, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('judgment as j')
    .innerJoin('subject as s', 's.id', 'j.subject_id')
    .where('s.project_id', '=', projectId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function loadJudged(
  tx: Db,
  projectId: number,
  externalIds: readonly string[],
): Promise<Map<string, Judged>> {
  // Locked in one order: two imports at once wait for each other instead of judging past each other.
  const { rows: subjects } = await sql<
    Omit<Judged, 'subjectId' | 'history'> & { id: number; externalId: string }
  >`
    select s.id, e.external_id as "externalId", s.match_hash as "matchHash", s.decision_id as "decisionId"
    from subject s join entry e on e.id = s.entry_id
    where s.project_id = ${projectId} and e.external_id = any(${externalIds}::text[])
    order by s.id for update of s`.execute(tx)
  const { rows: history } = await sql<JudgmentRow>`
    select * from judgment where subject_id = any(${subjects.map((one) => one.id)}::bigint[])
    order by id`.execute(tx)
  const histories = new Map(subjects.map(({ id }) => [id, [] as JudgmentRow[]]))
  for (const row of history) histories.get(row.subject_id)?.push(row)
  return new Map(
    subjects.map(({ id, externalId, matchHash, decisionId }) => [
      externalId,
      { subjectId: id, matchHash, decisionId, history: histories.get(id) ?? [] },
    ]),
  )
}

async function reserveIds(tx: Db, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('judgment', 'id')) as id
    from generate_series(1, ${count}::integer)`.execute(tx)
  return rows.map((row) => row.id)
}

/** The one that holds: the latest that is not undone. */
function current(history: readonly JudgmentRow[]): JudgmentRow | undefined {
  const undone = new Set(history.map((row) => row.undoes))
  return history.findLast((row) => row.verdict !== 'undo' && !undone.has(row.id))
}

function isSaid(history: readonly JudgmentRow[], judgment: IncomingJudgment): boolean {
  const same = (row: JudgmentRow) =>
    row.verdict === judgment.verdict &&
    row.external_id === judgment.qid &&
    row.judged_by === judgment.by
  const { at } = judgment
  if (at !== null) return history.some((row) => same(row) && +row.judged_at === +at)
  const holding = judgment.verdict === 'undo' ? history.at(-1) : current(history)
  return holding !== undefined && same(holding) && holding.note === judgment.note
}
