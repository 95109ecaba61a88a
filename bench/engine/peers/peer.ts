/**
 * Other engines for background work, given the tasks of a match: so many pieces of work, some at a time, each kept in a
 * store until it is done, so that a crash would lose none.
 */
export interface PeerJob {
  /** An empty database of its own. */
  readonly databaseUrl: string
  /** Numbers 0 to `tasks - 1`. */
  readonly tasks: number
  readonly concurrency: number
  readonly work: (task: number) => Promise<void>
}

export interface Peer {
  readonly name: string
  /** Why it cannot run on this machine; null: it can. */
  readonly missing: () => Promise<string | null>
  /**
   * Puts all tasks into the queue, does them, and leaves nothing running.
   * @returns ms from the first one put in to the last one done; start-up and migrations are not counted
   */
  readonly run: (job: PeerJob) => Promise<number>
}

export const alwaysThere = (): Promise<null> => Promise.resolve(null)
