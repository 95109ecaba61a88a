/** What the workflow of a recheck is told and tells: ids and counts, never cell text. */
export interface RecheckProjectInput {
  readonly projectId: number
  /** ISO 8601: items that were checked before are checked again. */
  readonly since: string
}

export interface RecheckResult {
  /** False: the service knows no item by its id, so it cannot be asked this. */
  readonly canTell: boolean
  /** ISO 8601: from when on its items count as checked; of the execution that was joined. */
  readonly since: string
}

/** So often an item is asked for before it is left as "could not be asked". */
export const MOST_RECHECK_TRIES = 3
