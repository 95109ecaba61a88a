import type { FailureKind } from './failure-reason.ts'

/** What the bytes have to be; what is absent is not checked. */
export interface ExpectedContent {
  /** Media types, `image/*` included. */
  readonly types?: readonly string[]
  readonly bytes?: number
  /** Each has to match. */
  readonly digests?: readonly ExpectedDigest[]
  readonly minBytes?: number
  /** Instead of the limit of all transfers. */
  readonly maxBytes?: number
  readonly allowEmpty?: boolean
  /** The end has to be proved: by length, digest, size or the end mark of the format. */
  readonly mustEndComplete?: boolean
}

export interface ExpectedDigest {
  readonly algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5'
  /** Lower case. */
  readonly hex: string
}

/** Under what terms an artifact may be used, for the manifest. */
export interface ArtifactLicence {
  readonly author: string | null
  readonly name: string | null
  readonly url: string | null
  readonly credit: string | null
}

/** One way to get an artifact. */
export interface ArtifactPlan {
  /** Name of the resolver that found it. */
  readonly resolver: string
  readonly url: string
  /** Go to the origin of `url` only. */
  readonly headers?: Readonly<Record<string, string>>
  readonly expected?: ExpectedContent
  readonly licence?: ArtifactLicence
  /** Ask for the headers first; what they say is never decisive, but for a length that is too large. */
  readonly needsHead?: boolean
  /** Follow a redirect from https to http. */
  readonly allowDowngrade?: boolean
  /** Refuse what says `noai` or `noindex` in X-Robots-Tag. */
  readonly honourRobotsTag?: boolean
  /** What statuses of 400 and above mean at this resolver, where it is not the usual. */
  readonly statusKinds?: Readonly<Record<number, Extract<FailureKind, 'permanent' | 'transient'>>>
}
