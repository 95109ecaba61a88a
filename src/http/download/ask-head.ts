import { contentLength } from '../../core/download/content-range.ts'
import { askedWait } from '../../core/download/asked-wait.ts'
import { largest } from '../../core/download/size-verdict.ts'
import { sizeError } from './content-faults.ts'
import { DownloadError } from './download-error.ts'
import { dropBody } from './drop-body.ts'
import { openAnswer } from './follow-redirects.ts'
import type { TransferContext } from './transfer-context.ts'

/**
 * Asks for the headers alone. Many hosts refuse that or answer it wrongly, so nothing follows from it but that a file
 * is too large, or that the host wants us to wait.
 * @throws DownloadError `too-large`, `throttled`, `no-permit-soon`; the reason of the caller's signal
 */
export async function askHead(context: TransferContext): Promise<void> {
  const { plan, limits, clocks, watch } = context
  const expected = plan.expected ?? {}
  let answer
  try {
    answer = await openAnswer(context, { method: 'HEAD', headers: {}, offset: 0 })
  } catch (error) {
    if (!(error instanceof DownloadError) || error.kind === 'throttled') throw error
    if (watch.signal.aborted) throw error
    return
  }
  const { status, headers, hop } = answer
  await dropBody(answer.body, headers)
  if (status === 429) {
    const { waitMs, parks } = askedWait(headers, clocks.wallMs(), limits.longestWaitMs)
    answer.end({ reason: 'throttled', kind: 'throttled', retryAfterMs: waitMs })
    const message = `${hop.url.host} asks us to wait (429); expected the headers of the file.`
    throw new DownloadError({ reason: 'throttled', message, status, retryAfterMs: waitMs, parks })
  }
  // What a host says to HEAD is no sign of trouble.
  answer.end({ reason: null })
  const bytes = status === 200 ? (contentLength(headers) ?? 0) : 0
  if (bytes > largest(expected, limits.maxBytes)) {
    throw sizeError('too-large', bytes, expected, limits.maxBytes)
  }
}
