/** One way to get an artifact, and what has to come of it. */
import type { Licence } from './artifact.ts'

export interface ArtifactPlan {
  /** Name of the resolver that found it. */
  readonly resolver: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly expected?: ExpectedContent
  readonly licence?: Licence
  /** Ask for the headers first: what is too large is not begun. Never decisive. */
  readonly needsHead?: boolean
}

export interface ExpectedDigest {
  readonly algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5'
  readonly hex: string
}

export interface ExpectedContent {
  /** MIME types, or `image/*`. */
  readonly types?: readonly string[]
  readonly bytes?: number
  readonly digests?: readonly ExpectedDigest[]
  readonly minBytes?: number
  readonly maxBytes?: number
  readonly allowEmpty?: boolean
  readonly mustEndComplete?: boolean
}
