/**
 * All that has to be known before a page is asked for, in one statement: it is asked before each page of a list, and what
 * a statement costs around it is more than what it does.
 */
import { sql } from 'kysely'
import type { PageResult } from '../core/extract/page-plan.ts'
import type { Db } from './connect.ts'
import type { PageKey } from './extract-pages.repo.ts'
import type { ExtractRun } from './extract-runs.repo.ts'
import { prepared } from './prepared.ts'

export interface KnownPage extends PageResult {
  readonly isOpen: boolean
  readonly asked: number
  readonly attempts: number
  readonly attemptsAtSize: number
  /** null: at once */
  readonly waitMs: number | null
}

/** A stored page that begins before a position and reaches beyond it. */
export interface CoveringPage {
  readonly position: number
  readonly rows: number
  readonly advance: number
  readonly isLast: boolean
  readonly total: number | null
}

export interface PageLook {
  /** What may change while it is open. */
  readonly run: Pick<ExtractRun, 'status' | 'pausedReason' | 'isCancelRequested'>
  /** Null: it was never tried. */
  readonly known: KnownPage | null
  /** What the page right before named as the next one; null: nothing, or there is none. */
  readonly cursor: string | null
  /**
   * A page of a numbered list that reaches into this one: an earlier execution may have read with another size. Null: none.
   */
  readonly covering: CoveringPage | null
  /** Where the first stored page behind it begins; null: none is stored. */
  readonly next: number | null
}

interface LookRow extends Omit<PageLook, 'run' | 'known'>, Omit<KnownPage, 'isOpen' | 'state'> {
  readonly status: ExtractRun['status']
  readonly pausedReason: string | null
  readonly isCancelRequested: boolean
  readonly state: 'open' | PageResult['state'] | null
}

/**
 * It looks at neighbours by the index only: stored pages do not lie in each other.
 * @returns undefined: there is no such run
 */
export async function lookAtPage(
  db: Db,
  { runId, type, position }: PageKey,
): Promise<PageLook | undefined> {
  const ofList = sql`run_id = ${runId}::bigint and type = ${type}::text`
  const { rows } = await sql<LookRow>`${prepared}
    select r.status, r.paused_reason as "pausedReason",
      r.cancel_requested_at is not null as "isCancelRequested",
      p.state, p.asked, p.rows, p.advance, p.next_size as size, p.is_last as "isLast", p.total,
      p.attempts, p.attempts_at_size as "attemptsAtSize",
      (extract(epoch from p.next_attempt_at - now()) * 1000)::float8 as "waitMs",
      (select next_cursor from extract_page
        where ${ofList} and position = ${position}::bigint - 1) as cursor,
      (select json_build_object('position', position, 'rows', rows, 'advance', advance, 'isLast', is_last,
          'total', total)
        from (
          select * from extract_page
          where ${ofList} and state = 'stored' and position < ${position}::bigint
          order by position desc limit 1
        ) as before
        where position + advance > ${position}::bigint) as covering,
      (select min(position) from extract_page
        where ${ofList} and state = 'stored' and position > ${position}::bigint) as next
    from extract_run r
    left join extract_page p
      on p.run_id = r.id and p.type = ${type}::text and p.position = ${position}::bigint
    where r.id = ${runId}::bigint`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { status, pausedReason, isCancelRequested, state, cursor, covering, next, ...page } = row
  return {
    run: { status, pausedReason, isCancelRequested },
    known:
      state === null
        ? null
        : { ...page, state: state === 'failed' ? 'failed' : 'stored', isOpen: state === 'open' },
    cursor,
    covering,
    next,
  }
}
