import type { SeenState } from '../db/review-judgments.repo.ts'
import { ProblemError } from './problem.ts'

/** What a person sees of a record, for the judgment that follows: `<match hash>.<judgment that holds>`. */
export function seenText({
  matchHash,
  holding,
}: {
  readonly matchHash: Buffer
  readonly holding: { readonly id: number } | null
}): string {
  return `${matchHash.toString('hex')}.${holding?.id ?? 0}`
}

/** @throws ProblemError `invalid_seen` */
export function readSeenText(text: string): SeenState {
  const parts = /^([0-9a-f]{64})\.(0|[1-9]\d{0,14})$/.exec(text)
  if (parts === null) {
    throw new ProblemError(400, {
      code: 'invalid_seen',
      detail: 'seen: not what a record gave.',
      hint: 'Take "seen" of the record as it is shown.',
    })
  }
  const id = Number(parts[2])
  return { matchHash: Buffer.from(parts[1] ?? '', 'hex'), judgmentId: id === 0 ? null : id }
}
