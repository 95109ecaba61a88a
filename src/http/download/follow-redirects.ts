/** Asks an address and goes where it leads, hop by hop: each has a permit of its own host, and its own exchange. */
import { nextDownloadHop, firstHop } from '../../core/download/redirect-hop.ts'
import { statusVerdict } from '../../core/download/status-verdict.ts'
import { headerText } from '../../core/retry-after.ts'
import { DownloadError } from './download-error.ts'
import { dropBody } from './drop-body.ts'
import { sendHop, type HopRequest, type OpenAnswer } from './send-hop.ts'
import type { TransferContext } from './transfer-context.ts'

/**
 * Begins at the address of the plan each time, as a signed final address may have expired.
 * @returns an answer that is no redirect, its body open
 * @throws DownloadError
 */
export async function openAnswer(
  context: TransferContext,
  request: HopRequest,
): Promise<OpenAnswer> {
  const { plan, limits } = context
  let hop = firstHop(plan.url, plan.headers ?? {})
  if (hop === undefined) {
    const message = 'The address of an artifact is no http:// or https:// URL with a host.'
    throw new DownloadError({ reason: 'bad-url', message, hint: 'Give a full http(s) URL.' })
  }
  const rules = { maxRedirects: limits.maxRedirects, allowDowngrade: plan.allowDowngrade ?? false }
  const asked = { range: true, conditional: true, retryAfter: false }
  for (;;) {
    const answer = await sendHop(context, hop, request)
    if (statusVerdict(answer.status, asked).kind !== 'redirect') return answer
    await dropBody(answer.body, answer.headers)
    const next = nextDownloadHop(hop, headerText(answer.headers, 'location'), rules)
    if (typeof next === 'string') {
      const message = `${hop.url.origin} answered ${answer.status} and leads nowhere (${next}); expected the file.`
      const failure = new DownloadError({ reason: next, message, status: answer.status })
      answer.end({ reason: next, kind: failure.kind })
      throw failure
    }
    answer.end({ kind: 'redirect' })
    hop = next
  }
}
