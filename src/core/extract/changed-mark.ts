/**
 * From which moment on an incremental extraction asks. An item may change behind the back of a run that has read its
 * page already, and then be older than the newest item of that run. So the newest item of a run is no mark; what was seen
 * before a run asked for its second page is: whatever changes behind its back changes later. No clock but the source's.
 */

/** A complete run, as far as it tells when things changed. */
export interface ReadRun {
  /** What it asked from; null: it read everything. */
  readonly since: string | null
  /** What its items say of when they changed. */
  readonly values: readonly string[]
  /** The same of its first page, all of it as it was before anything else was asked. */
  readonly firstPage: readonly string[]
}

/**
 * @param last the last complete run of the list
 * @param before the one before that; null: there is none
 * @returns null: nothing is known to have been seen early enough
 */
export function changedMark(last: ReadRun, before: ReadRun | null): string | null {
  return latestOf([
    ...last.firstPage,
    ...(last.since === null ? [] : [last.since]),
    ...(before?.values ?? []),
  ])
}

/** The latest of times, or the largest of numbers, as it was written; what is neither counts for nothing. */
export function latestOf(values: readonly string[]): string | null {
  let latest: { readonly text: string; readonly at: number } | null = null
  for (const text of values) {
    const at = momentOf(text)
    if (Number.isNaN(at)) continue
    if (latest === null || at > latest.at) latest = { text, at }
  }
  return latest?.text ?? null
}

const NUMBER = /^\d+(?:\.\d+)?$/
/** ISO 8601 and its kin; `Date.parse` alone takes "Item 5" for a day in May. */
const TIME = /^\d{4}-\d\d-\d\d/

function momentOf(text: string): number {
  if (NUMBER.test(text)) return Number(text)
  return TIME.test(text) ? Date.parse(text) : Number.NaN
}
