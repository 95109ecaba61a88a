/** A file that is wanted, as it was asked for: what it is known by, where it may be, and what is known of it. */
import type { ArtifactLicence, ExpectedContent } from './artifact-plan.ts'

export interface Artifact {
  /** Where it may be, in the order in which they are tried. */
  readonly urls?: readonly string[]
  /** `10.…/…`, without `doi:` and without an address. */
  readonly doi?: string
  /** Name of a file on Wikimedia Commons, as items state it. */
  readonly commonsFile?: string
  /** Of a picture of Commons, moved to one that is served; absent: the file as it is. */
  readonly widthPx?: number
  /** What a template of the configuration is filled with. */
  readonly fields?: Readonly<Record<string, string>>
  /** Shown, and exported, in place of the name that the server gives. */
  readonly name?: string
  readonly expected?: ExpectedContent
  readonly licence?: ArtifactLicence
  readonly origin?: ArtifactOrigin
}

/** The matched record that it was taken from. */
export interface ArtifactOrigin {
  readonly projectId: number
  /** `external_id` of the record. */
  readonly entry: string
  readonly item: string
  readonly property: string
}

/** An artifact with what a queue knows it by. */
export interface NewJob {
  /** `url:…`, `doi:…`, `commons:…`: the same for the same file. */
  readonly artifactId: string
  readonly artifact: Artifact
  readonly resolverHint: string | null
  /** Higher ones first. */
  readonly priority: number
  /** `domainKey` of the first request, for spreading over hosts. */
  readonly host: string
}
