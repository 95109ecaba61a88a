/** What people say at a page or over the API, checked and written. */
import { itemId } from '../core/matching/item-id.ts'
import { idInUrl } from '../client/review/item-url.ts'
import type { Db } from '../db/connect.ts'
import { undoAct } from '../db/judgment-acts.repo.ts'
import type { Project } from '../db/projects.repo.ts'
import { judgeEntry, type PageJudgment } from '../db/review-judgments.repo.ts'
import { findService } from '../db/services.repo.ts'
import { ProblemError } from './problem.ts'
import { readSeenText } from './seen-text.ts'

export interface Saying extends Omit<PageJudgment, 'seen' | 'qid'> {
  /** An item's id, or its address; only with `match`. */
  readonly qid: string | null
  /** Of the record as it was shown; null: whatever there is. */
  readonly seen: string | null
}

export interface Said {
  readonly judgmentId: number
  /** Takes it back; null: it came from a file. */
  readonly actId: number | null
  /** Judgments that were written, one for each row; 0: the same person had said the same. */
  readonly rows: number
}

/** @throws ProblemError `unknown_entry`, `judged_since`, `changed_since`, `invalid_item` */
export async function judge(db: Db, project: Project, saying: Saying): Promise<Said> {
  const { seen, ...said } = saying
  const outcome = await judgeEntry(db, project.id, {
    ...said,
    qid: await knownItem(db, project, said.verdict, said.qid),
    seen: seen === null ? undefined : readSeenText(seen),
  })
  switch (outcome.kind) {
    case 'written':
      return outcome
    case 'unchanged':
      return { ...outcome, rows: 0 }
    case 'unknown':
      throw new ProblemError(404, {
        code: 'unknown_entry',
        detail: `Project ${project.id} has no record ${JSON.stringify(said.externalId)}.`,
      })
    case 'judged_since':
      throw new ProblemError(409, {
        code: 'judged_since',
        detail:
          outcome.holding === null
            ? 'The judgment that was shown has been taken back since.'
            : `${outcome.holding.by} has judged this record since it was shown.`,
        hint: 'Look at both answers; saying it again replaces the other one.',
        facts: { holding: outcome.holding, yours: { verdict: said.verdict, qid: said.qid } },
      })
    case 'changed_since':
    default:
      throw new ProblemError(409, {
        code: 'changed_since',
        detail: 'The record, or what is read of it, has changed since it was shown.',
        hint: 'Look at it again.',
      })
  }
}

export interface Undone {
  /** Judgments that were taken back. */
  readonly judgments: number
  /** Those that others had judged over, and that stay. */
  readonly left: number
}

/** @throws ProblemError `unknown_act`, `undone_before`, `judged_since` */
export async function undo(
  db: Db,
  project: Project,
  act: { readonly actId: number; readonly by: string },
): Promise<Undone> {
  const outcome = await undoAct(db, project.id, act)
  switch (outcome.kind) {
    case 'undone':
      return { judgments: outcome.judgments, left: outcome.left }
    case 'unknown':
      throw new ProblemError(404, {
        code: 'unknown_act',
        detail: `Project ${project.id} has no act ${act.actId} that could be undone.`,
      })
    case 'undone_before':
      throw new ProblemError(409, {
        code: 'undone_before',
        detail: 'It was undone before.',
      })
    case 'judged_since':
    default:
      throw new ProblemError(409, {
        code: 'judged_since',
        detail: 'All of it was judged anew since; there is nothing left to take back.',
      })
  }
}

async function knownItem(
  db: Db,
  { settings }: Project,
  verdict: PageJudgment['verdict'],
  text: string | null,
): Promise<string | null> {
  if (verdict !== 'match') {
    if (text === null || text.trim() === '') return null
    throw invalidItem(text, `nothing, for the verdict is ${verdict}`)
  }
  const given = (text ?? '').trim()
  const named = idInUrl(given, await findService(db, settings.service))
  const id = given === '' ? undefined : itemId(named ?? given, settings.service)
  if (id === undefined) throw invalidItem(given, 'an item id like Q42, or the address of its page')
  return id
}

function invalidItem(text: string, expected: string): ProblemError {
  return new ProblemError(422, {
    code: 'invalid_item',
    detail: `qid is ${JSON.stringify(text)}; expected ${expected}.`,
  })
}
