/**
 * Items of earlier matches, kept in a column of the dataset, as judgments of its projects. What the column says is said
 * once: importing it again changes nothing, another item in a cell is a new judgment, and what a person judged or took
 * back since stays as long as the cell says the same.
 */
import { type RawBuilder, sql } from 'kysely'
import { itemId, isWikidataService, givenWikidataId } from '../core/matching/item-id.ts'
import { trimBlank } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import { readHeld } from './read-held.ts'

export interface EarlierJudgments {
  readonly column: string
  readonly written: number
  /** Said before. */
  readonly unchanged: number
  /** Cells that hold something else than an item's id. */
  readonly unreadable: number
}

interface JudgedProject {
  readonly id: number
  readonly settings: ProjectSettings
}

interface EarlierCell {
  readonly subjectId: number
  readonly text: string
  readonly matchHash: Buffer
  /** The item this column gave last; null: none yet. */
  readonly said: string | null
}

interface GivenItem extends EarlierCell {
  readonly id: string
}

const ROWS_AT_ONCE = 1_000

/** @returns undefined where the project has no such column. */
export async function bringEarlierJudgments(
  db: Db,
  { id: projectId, settings }: JudgedProject,
): Promise<EarlierJudgments | undefined> {
  const { earlier } = settings.mapping
  if (earlier?.use !== 'judge') return undefined
  const { column } = earlier
  const by = `import:${column}`
  const isWikidata =
    isWikidataService(settings.service) || (await hasWikidataIds(db, projectId, column))
  const idOf = (text: string) =>
    isWikidata ? givenWikidataId(text) : itemId(trimBlank(text), settings.service)
  const counts = { written: 0, unchanged: 0, unreadable: 0 }
  const bring = async (own: Db, page: readonly EarlierCell[]): Promise<void> => {
    const read = page.flatMap((cell): GivenItem[] => {
      const id = idOf(cell.text)
      return id === undefined ? [] : [{ ...cell, id }]
    })
    const fresh = read.filter(({ id, said }) => id !== said)
    const written = fresh.length === 0 ? 0 : await writeJudgments(own, fresh, { column, by })
    counts.written += written
    counts.unchanged += read.length - written
    counts.unreadable += page.length - read.length
  }
  const cells = earlierCells(projectId, column, by)
  await db
    .connection()
    .execute((own) => readHeld(own, cells, (page) => bring(own, page), ROWS_AT_ONCE))
  return { column, ...counts }
}

function earlierCells(projectId: number, column: string, by: string): RawBuilder<EarlierCell> {
  return sql<EarlierCell>`
    select s.id as "subjectId", e.source ->> ${column}::text as text, s.match_hash as "matchHash",
      (select j.external_id from judgment j
        where j.subject_id = s.id and j.judged_by = ${by}::text and j.verdict = 'match'
        order by j.id desc limit 1) as said
    from ${filledCells(projectId, column)}`
}

/** @returns how many were written: another import may have said the same meanwhile. */
async function writeJudgments(
  db: Db,
  items: readonly GivenItem[],
  { column, by }: { readonly column: string; readonly by: string },
): Promise<number> {
  const ids = items.map(({ subjectId }) => subjectId)
  return db.transaction().execute(async (tx) => {
    // Locked in one order: two imports at once wait for each other instead of judging past each other.
    await sql`
      select id from subject where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
    const { rows } = await sql`
      insert into judgment (subject_id, verdict, external_id, judged_by, match_hash, note)
      select given.subject_id, 'match', given.item, ${by}::text, given.match_hash,
        ${`from the column "${column}"`}::text
      from unnest(
        ${ids}::bigint[],
        ${items.map(({ id }) => id)}::text[],
        ${items.map(({ matchHash }) => matchHash)}::bytea[]
      ) as given (subject_id, item, match_hash)
      where given.item is distinct from (
        select j.external_id from judgment j
        where j.subject_id = given.subject_id and j.judged_by = ${by}::text and j.verdict = 'match'
        order by j.id desc limit 1)
      returning id`.execute(tx)
    return rows.length
  })
}

/** A column in which nobody ever wrote a Q-id has the ids of another service. */
async function hasWikidataIds(db: Db, projectId: number, column: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${filledCells(projectId, column)}
        and e.source ->> ${column}::text ~* '(^|[:/])Q[1-9][0-9]*\\s*$'
    ) as found`.execute(db)
  return rows[0]?.found ?? false
}

function filledCells(projectId: number, column: string): RawBuilder<unknown> {
  return sql`
    subject s join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint and e.absent_since is null
      and e.source ->> ${column}::text ~ '\\S'`
}
