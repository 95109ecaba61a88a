/** Whether a length fits what is expected, before, while and after a body comes. Pure. */
import type { ExpectedContent } from './artifact-plan.ts'
import type { FailureReason } from './failure-reason.ts'

const WORTH_READING_BYTES = 64 * 1024

/** Why a transfer of so many bytes need not begin. @param isEncoded the length says nothing of the decoded bytes */
export function announcedSizeFault(
  bytes: number,
  expected: ExpectedContent,
  maxBytes: number,
  isEncoded: boolean,
): FailureReason | null {
  if (bytes > largest(expected, maxBytes)) return 'too-large'
  if (bytes === 0 && expected.allowEmpty !== true && expected.bytes !== 0) return 'empty'
  // A short one is fetched all the same, for the page that says what is wrong.
  if (isEncoded || bytes <= WORTH_READING_BYTES) return null
  return finalSizeFault(bytes, expected, maxBytes)
}

/** What is wrong with a file of so many bytes. */
export function finalSizeFault(
  bytes: number,
  expected: ExpectedContent,
  maxBytes: number,
): FailureReason | null {
  if (bytes > largest(expected, maxBytes)) return 'too-large'
  if (expected.bytes !== undefined && bytes !== expected.bytes) {
    return bytes === 0 ? 'empty' : 'size-mismatch'
  }
  if (bytes === 0) return expected.allowEmpty === true || expected.bytes === 0 ? null : 'empty'
  return bytes < (expected.minBytes ?? 0) ? 'too-small' : null
}

/** The limit that holds for an artifact, bytes. */
export function largest(expected: ExpectedContent, maxBytes: number): number {
  return expected.maxBytes ?? maxBytes
}
