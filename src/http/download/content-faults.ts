/** The errors of a file that came but is not what was expected. */
import type { ExpectedContent } from '../../core/download/artifact-plan.ts'
import type { FailureReason } from '../../core/download/failure-reason.ts'
import { largest } from '../../core/download/size-verdict.ts'
import { typeVerdict, type TypeFacts } from '../../core/download/type-verdict.ts'
import { cleanText } from '../clean-text.ts'
import { DownloadError } from './download-error.ts'

/** Enough for a person to see what it is. */
const EXCERPT_BYTES = 2_048

/** Null: it can be what was expected. */
export function wrongType(facts: TypeFacts, head: Uint8Array): DownloadError | null {
  if (typeVerdict(facts) === 'right') return null
  const found = facts.detected ?? 'something that has no mark of a format'
  const said = facts.declared === null ? '' : ` (its header says ${facts.declared})`
  const wanted = facts.expected.length === 0 ? 'what the header says' : facts.expected.join(', ')
  return new DownloadError({
    reason: 'wrong-type',
    message: `The file is ${found}${said}; expected ${wanted}.`,
    hint: 'Look at the excerpt: a sign-in or quota page needs another address or credentials.',
    excerpt: excerptOf(head),
  })
}

export function sizeError(
  reason: FailureReason,
  bytes: number,
  expected: ExpectedContent,
  maxBytes: number,
): DownloadError {
  const wanted: Partial<Record<FailureReason, string>> = {
    'too-large': `at most ${largest(expected, maxBytes)}`,
    'too-small': `at least ${expected.minBytes ?? 0}`,
    empty: 'a file with something in it',
  }
  const text = wanted[reason] ?? String(expected.bytes)
  return new DownloadError({ reason, message: `The file has ${bytes} bytes; expected ${text}.` })
}

/** Latin-1 would show UTF-8 wrongly, and what is binary says nothing either way. */
function excerptOf(head: Uint8Array): string {
  return cleanText(new TextDecoder().decode(head.subarray(0, EXCERPT_BYTES)))
}
