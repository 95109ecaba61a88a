import { type RawBuilder, sql } from 'kysely'
import type { RunOptions } from '../core/run.ts'
import type { Db } from './connect.ts'
import { type DueReason, subjectsWithDue, type DueQuestion } from './due-subjects.ts'
import { planPages, queueLock } from './plan-page.ts'
import { readHeld, withSessionLock } from './read-held.ts'

interface DueSubject {
  readonly id: number
  readonly status: string
  readonly due: DueReason
}

/**
 * Marks QUEUED what is due and gives it to the run. With `limit` the first due ones in file order; with `sample` those
 * whose hash with the seed is smallest. Each page is written for itself; a repetition goes on where the last one
 * stopped, since what the run has queued is not due again.
 */
export async function queueDueSubjects(
  db: Db,
  question: DueQuestion & { readonly runId: number },
  options: RunOptions,
  { rows, onPage } = planPages(),
): Promise<void> {
  await withSessionLock(db, queueLock(question.runId), async (own) => {
    const queued = await countOfRun(own, question.runId)
    const due = sql<DueSubject>`
      select id, status, due from (${dueRecords(question, options, queued)}) as queued`
    const write = async (page: readonly DueSubject[]): Promise<void> => {
      await writePage(own, question.runId, page)
      onPage()
    }
    await readHeld(own, due, write, rows)
  })
}

async function writePage(db: Db, runId: number, page: readonly DueSubject[]): Promise<void> {
  await sql`
    update subject as s
    set status = 'QUEUED', run_id = ${runId}::bigint, task_number = null, asked_hash = s.match_hash,
      -- Where cells and settings are as they were, the decision stands until there is another.
      outcome = case when queued.due in ('old_answers', 'new_answers', 'picked', 'rescored') then s.outcome end,
      error_code = null, error_message = null, updated_at = now()
    from unnest(
      ${page.map(({ id }) => id)}::bigint[],
      ${page.map(({ status }) => status)}::text[],
      ${page.map(({ due }) => due)}::text[]
    ) as queued (id, status, due)
    where s.id = queued.id and s.status = queued.status`.execute(db)
}

async function countOfRun(db: Db, runId: number): Promise<number> {
  const { count } = await db
    .selectFrom('subject')
    .where('run_id', '=', runId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The due records that a run of these options takes.
 * @param queued records that it has taken already
 */
export function dueRecords(
  question: DueQuestion,
  options: RunOptions,
  queued = 0,
): RawBuilder<unknown> {
  return sql`
    select * from (${subjectsWithDue(question)}) as subjects
    where due is not null
    ${narrowed(options, queued)}`
}

function narrowed({ sample, limit }: RunOptions, queued: number) {
  if (sample !== null) {
    return sql`order by md5(${String(sample.seed)}::text || external_id), id
      limit ${Math.max(0, sample.size - queued)}::integer`
  }
  if (limit !== null) return sql`order by position limit ${Math.max(0, limit - queued)}::integer`
  return sql``
}
