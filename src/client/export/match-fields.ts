import type { EntryResult } from '../../db/results.repo.ts'

/** What an export says about a match, in column order; null: nothing to say. */
export interface MatchFields {
  readonly qid: string | null
  readonly label: string | null
  readonly description: string | null
  readonly status: string
  readonly by: string | null
  /** ISO 8601, UTC. */
  readonly at: string | null
  readonly score: number | null
  readonly margin: number | null
  readonly runner_up: string | null
  readonly rule: string | null
  readonly reason: string | null
  readonly error: string | null
}

export const matchFieldNames = [
  'qid',
  'label',
  'description',
  'status',
  'by',
  'at',
  'score',
  'margin',
  'runner_up',
  'rule',
  'reason',
  'error',
] as const satisfies readonly (keyof MatchFields)[]

/** Values of `match_status`, as `--only` takes them. */
export const matchStatuses = [
  'matched',
  'review',
  'no_candidate',
  'skipped',
  'none_fits',
  'not_in_wikidata',
  'not_applicable',
  'failed',
  'cancelled',
  'queued',
  'new',
] as const satisfies readonly EntryResult['status'][]

export function matchFields(result: EntryResult): MatchFields {
  const { errorCode, errorMessage } = result
  return {
    qid: result.qid,
    label: result.label,
    description: result.description,
    status: result.status,
    by: result.by,
    at: result.at?.toISOString() ?? null,
    score: result.score,
    margin: result.margin,
    runner_up: result.runnerUp,
    rule: result.rule,
    reason: reasonText(result),
    error: errorCode === null ? null : `${errorCode}: ${errorMessage ?? ''}`,
  }
}

/** Why it stands so; of a stale judgment first what changed. */
export function reasonText(result: EntryResult): string | null {
  const { stale, reason } = result
  if (!stale) return reason
  return [changedText(result), ...(reason === null ? [] : [reason])].join(' ')
}

function changedText({ qid, itemState, mergedInto }: EntryResult): string {
  if (mergedInto !== null)
    return `${qid ?? ''}, which was judged, has become part of ${mergedInto}.`
  if (itemState === 'missing') return `${qid ?? ''}, which was judged, is no longer there.`
  return 'The record or its item changed since it was judged.'
}
