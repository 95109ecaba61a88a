/** How a workflow tells that its run is paused, or goes on. */
export interface ResumeInput {
  readonly runId: number
  /** When the workflow said so, ms since 1970; undefined: it began with a version that tells none. */
  readonly atMs?: number | undefined
}

export interface PauseInput extends ResumeInput {
  readonly reason: string
}
