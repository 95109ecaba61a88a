/** What a plan would find, read without writing anything. */
import { sql } from 'kysely'
import type { Cells } from '../core/matching/mapped-record.ts'
import type { RunOptions } from '../core/run.ts'
import { WIKIDATA_SERVICE } from '../core/wikidata/wikidata-service.ts'
import type { Db } from './connect.ts'
import type { DueQuestion } from './due-subjects.ts'
import { readCursor } from './read-cursor.ts'
import { dueRecords } from './run-queue.ts'

export interface DueRecord {
  readonly cells: Cells
}

/** The records that a run would take, in file order. */
export async function readDueRecords(
  db: Db,
  question: DueQuestion,
  options: RunOptions,
  onPage: (page: readonly DueRecord[]) => Promise<void>,
): Promise<void> {
  await readCursor(
    db,
    sql<DueRecord>`
      select e.source as cells
      from (${dueRecords(question, options)}) as queued
      join entry e on e.id = queued.entry_id
      order by e.position, e.id`,
    onPage,
  )
}

/** What is stored of a question. */
export interface StoredQuestion {
  /** Hex of the hash of its key. */
  readonly key: string
  readonly isAnswered: boolean
  /** Its answer is from before `refreshBefore`. */
  readonly isTooOld: boolean
  /** Failed attempts that count for the next run. */
  readonly attempts: number
  /** Of its answer, where that is not all there is to know of them: of Wikidata. */
  readonly candidateIds: readonly string[]
}

/** Those of the questions that a service was asked, or was to be asked, before. */
export async function storedQuestions(
  db: Db,
  service: string,
  keyHashes: readonly Buffer[],
  refreshBefore: Date | null,
): Promise<readonly StoredQuestion[]> {
  const { rows } = await sql<StoredQuestion>`
    select encode(key_hash, 'hex') as key, status = 'answered' as "isAnswered",
      coalesce(status = 'answered' and answered_at < ${refreshBefore}::timestamptz, false) as "isTooOld",
      case when status = 'failed' then 0 else attempts end as attempts,
      case when service = ${WIKIDATA_SERVICE}::text and answer is not null
        then jsonb_path_query_array(answer, '$.candidates[*].id') else '[]' end as "candidateIds"
    from lookup
    where service = ${service}::text and key_hash = any(${keyHashes}::bytea[])`.execute(db)
  return rows
}
