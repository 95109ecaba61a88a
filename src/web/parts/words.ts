/** States and numbers in words, the same on every page. */
import type { EntryStatus } from '../../db/entry-filter.ts'
import { numberText } from '../number-text.ts'
import type { RunStatusWord } from '../run-state.ts'

const statusWords: Readonly<Record<EntryStatus, string>> = {
  matched: 'matched',
  review: 'needs review',
  no_candidate: 'no candidate',
  skipped: 'set aside',
  none_fits: 'none fits',
  not_in_wikidata: 'not in the knowledge base',
  not_applicable: 'not applicable',
  new: 'not asked yet',
  queued: 'being asked',
  failed: 'could not be asked',
  cancelled: 'cancelled before it was asked',
}

/** @param by who judged it; null: a run decided */
export function statusText(status: EntryStatus | 'completed', by: string | null): string {
  const word = status === 'completed' ? 'decided' : statusWords[status]
  if (status === 'matched') return by === null ? 'matched automatically' : `matched by ${by}`
  return by === null ? word : `${word}, says ${by}`
}

export function statusWord(status: EntryStatus): string {
  return statusWords[status]
}

export const runWords: Readonly<Record<RunStatusWord, string>> = {
  running: 'running',
  paused: 'paused',
  cancelling: 'being cancelled',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  terminated: 'ended from outside',
}

/** `2026-11-29 10:15 UTC`. */
export function timeText(at: Date | string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `1 record`, `2 records`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}
