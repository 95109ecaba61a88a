/** Names of the columns of a review file: the export writes them, `judgments import` finds them again. */
const CANDIDATES_SHOWN = 3

const CANDIDATE_FIELDS = ['qid', 'label', 'description', 'url', 'score', 'reason'] as const
const USUAL_PREFIX = 'match_'

export interface ReviewColumns {
  readonly key: string
  readonly status: string
  readonly reason: string
  /** Per candidate: id, label, description, address, score, reason. */
  readonly candidates: readonly (readonly string[])[]
  readonly decision: string
  readonly note: string
}

/** With the usual prefix the column to fill in is called just `decision`. */
export function reviewColumns(prefix: string): ReviewColumns {
  const own = prefix === USUAL_PREFIX ? '' : prefix
  const numbers = Array.from({ length: CANDIDATES_SHOWN }, (_, index) => index + 1)
  return {
    key: `${prefix}key`,
    status: `${prefix}status`,
    reason: `${prefix}reason`,
    candidates: numbers.map((number) =>
      CANDIDATE_FIELDS.map((field) => `${prefix}${number}_${field}`),
    ),
    decision: `${own}decision`,
    note: `${own}decision_note`,
  }
}

/** In file order. */
export function reviewColumnNames(columns: ReviewColumns): readonly string[] {
  const { status, reason, candidates, decision, note, key } = columns
  return [status, reason, ...candidates.flat(), decision, note, key]
}

/** The columns of a review file among those of a table; undefined: it is no review file. */
export function findReviewColumns(columns: readonly string[]): ReviewColumns | undefined {
  const prefixes = columns.flatMap((column) =>
    column.endsWith('key') ? [column.slice(0, -'key'.length)] : [],
  )
  // A file may have a column `key` of its own, which is no prefix.
  return prefixes
    .toSorted((a, b) => b.length - a.length)
    .map(reviewColumns)
    .find(({ key, decision }) => columns.includes(key) && columns.includes(decision))
}
