/** What the workflow of an extension is told: ids only, never cell text. */
export interface ExtendProjectInput {
  readonly projectId: number
  /** As the project's service knows them. */
  readonly properties: readonly string[]
  /** ISO 8601: what was fetched before is asked again; absent: nothing is. */
  readonly renewBefore?: string
  /** ISO 8601: then the images are looked for too, also those that could not be asked before this. */
  readonly imagesSince?: string
}

/** So often an image is asked for before it is left as "could not be asked". */
export const MOST_IMAGE_TRIES = 3
