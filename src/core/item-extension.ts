/** What the workflow of an extension is told: ids only, never cell text. */
export interface ExtendProjectInput {
  readonly projectId: number
  /** As the project's service knows them. */
  readonly properties: readonly string[]
  /** ISO 8601: what was fetched before is asked again; absent: nothing is. */
  readonly renewBefore?: string
}
