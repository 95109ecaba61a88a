import { createHash } from 'node:crypto'

/**
 * Names a record in a review file, and what was seen of it: `r123-<digest of the mapped cells>-<digest of the
 * candidates>`. It begins with a letter and has no bare number, so that no spreadsheet takes it for one.
 */
export interface ReviewKey {
  readonly subjectId: number
  readonly cellsDigest: string
  readonly candidatesDigest: string
}

export interface SeenRecord {
  readonly subjectId: number
  readonly matchHash: Buffer
  /** In the order shown. */
  readonly candidateIds: readonly string[]
}

/** Enough to notice a change of one record; it protects against nobody. */
const DIGEST_DIGITS = 12

export function reviewKey({ subjectId, matchHash, candidateIds }: SeenRecord): ReviewKey {
  const candidates = createHash('sha256').update(JSON.stringify(candidateIds)).digest('hex')
  return {
    subjectId,
    cellsDigest: matchHash.toString('hex').slice(0, DIGEST_DIGITS),
    candidatesDigest: candidates.slice(0, DIGEST_DIGITS),
  }
}

export function reviewKeyText({ subjectId, cellsDigest, candidatesDigest }: ReviewKey): string {
  return `r${subjectId}-${cellsDigest}-${candidatesDigest}`
}

/** @returns undefined for any other text */
export function readReviewKey(text: string): ReviewKey | undefined {
  const parts = /^r([1-9]\d{0,14})-([0-9a-f]{12})-([0-9a-f]{12})$/i.exec(text.trim())
  if (parts === null) return undefined
  const [, subjectId = '', cellsDigest = '', candidatesDigest = ''] = parts
  return {
    subjectId: Number(subjectId),
    cellsDigest: cellsDigest.toLowerCase(),
    candidatesDigest: candidatesDigest.toLowerCase(),
  }
}
