import type { CandidateList } from './candidate.ts'
import { conclude } from './decide.ts'
import type { Decision } from './decision.ts'
import { heedPast } from './heed-past.ts'
import { type Cells, mapRecord } from './mapped-record.ts'
import type { RecordPast } from './record-past.ts'
import { weigh, type WeighedRecord } from './weigh.ts'
import type { ProjectSettings } from '../project-settings.ts'

/** The answer to one name of a subject, in the order of its names. */
export interface SubjectAnswer {
  readonly position: number
  readonly status: 'missing' | 'answered' | 'failed'
  readonly list: CandidateList | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** A record with what is known about it. */
export interface AnsweredRecord {
  readonly cells: Cells
  readonly answers: readonly SubjectAnswer[]
  readonly past: RecordPast
}

/** What becomes of a record now. */
export type RecordVerdict =
  | { readonly kind: 'decided'; readonly decision: Decision }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** A further name is still to be asked. */
  | { readonly kind: 'waits' }

/**
 * A match ends the questions about a record, also one that its past makes doubtful; otherwise all its names must have
 * been answered. A name that could not be asked makes the record FAILED: it must never look like "no match".
 */
export function judgeSubject(record: AnsweredRecord, settings: ProjectSettings): RecordVerdict {
  return judgeWeighed(weighSubject(record, settings), record, settings)
}

/** The part that no threshold has a say in, and nearly all of the work. */
export function weighSubject(
  { cells, answers }: AnsweredRecord,
  settings: ProjectSettings,
): WeighedRecord {
  const lists = answers.map(({ list }) => list)
  return weigh(mapRecord(cells, settings), lists, settings)
}

/** @param record the lists of its answers are not looked at any more */
export function judgeWeighed(
  weighed: WeighedRecord,
  record: AnsweredRecord,
  settings: ProjectSettings,
): RecordVerdict {
  const decision = conclude(weighed, settings.thresholds)
  if (decision.outcome === 'matched') {
    return { kind: 'decided', decision: heedPast(decision, record.cells, record.past, settings) }
  }
  if (record.answers.some((answer) => answer.status === 'missing')) return { kind: 'waits' }
  const failed = record.answers.find((answer) => answer.status === 'failed')
  if (failed === undefined) return { kind: 'decided', decision }
  return {
    kind: 'failed',
    code: failed.errorCode ?? 'not_answered',
    message: failed.errorMessage ?? `Name ${failed.position + 1} could not be asked.`,
  }
}
