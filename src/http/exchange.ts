/**
 * One permitted request and its answer.
 *
 *   permit wanted ── none soon, cancelled ──▶ thrown, nothing sent
 *        │ got it
 *   cancelled already? ── yes ──▶ given back
 *        │ no
 *   sent ──▶ answer ──────▶ classified ─┐
 *        ├─▶ no answer ───▶ classified ─┼─▶ permit reported, exchange told, returned or thrown
 *        └─▶ cancelled ─────────────────┘   (the socket is closed at once)
 *
 * Invariant: a permit that was got is reported or given back exactly once, on every path.
 */
import { type Agent, request as send } from 'undici'
import { domainKey } from '../core/domain-key.ts'
import type { Permits } from '../core/limiter/permit.ts'
import type { Priority } from '../core/limiter/protocol.ts'
import type { ResponseHeaders } from '../core/retry-after.ts'
import { OutsideCallError } from '../errors.ts'
import { classifyFailure, suspended, wasSuspended } from './classify-failure.ts'
import type { ReceivedResponse } from './classifiers/answer-reading.ts'
import type { DomainClassifier } from './classifiers/domain-classifier.ts'
import { wantingImage } from './classifiers/read-image.ts'
import { classifyResponse } from './classify-response.ts'
import { endExchange, type Exchange, type Sent } from './exchange-record.ts'
import { linkAbort } from './linked-abort.ts'
import { publishedLimits } from './published-limits.ts'
import { readBody, readBodyHead } from './read-body.ts'
import { type Hop, isRedirect } from './redirect.ts'

/** Limits of one request, ms. */
export interface RequestTimeouts {
  /** From the end of the request to the end of the answer's headers. */
  readonly headersMs: number
  /** Between two pieces of the body. */
  readonly bodyMs: number
  /** From sending to the last byte, connecting included; waiting for a permit is not. */
  readonly totalMs: number
}

/** What answers the question: JSON in any form, or a picture. */
export type WantedAnswer = 'json' | 'image'

/** Two clocks, ms: what tells a sleeping machine from a slow server. */
export interface Clocks {
  wallMs(): number
  monotonicMs(): number
}

export interface ExchangeContext {
  readonly agent: Agent
  readonly permits: Permits
  readonly clocks: Clocks
  readonly classifierFor: (domain: string) => DomainClassifier
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal
  readonly project: string
  readonly priority: Priority | undefined
  readonly attempt: number | undefined
  readonly signal: AbortSignal
  readonly timeouts: RequestTimeouts
  readonly maxBodyBytes: number
  readonly wanted: WantedAnswer
  readonly onExchange: (exchange: Exchange) => void
}

export interface Answer extends ReceivedResponse {
  readonly latencyMs: number
}

/**
 * @returns An answer worth reading, or a redirect.
 * @throws OutsideCallError for everything else, or the reason of the signal that aborted.
 */
export async function exchange(context: ExchangeContext, hop: Hop): Promise<Answer> {
  const { permits, project, priority, attempt, signal, closing, clocks, timeouts } = context
  closing.throwIfAborted()
  const domain = domainKey(hop.url.href)
  const permit = await permits.acquire({ domain, project, priority, attempt, signal })
  if (signal.aborted || closing.aborted) {
    permit.giveBack()
    throwReason(context)
  }
  const ofDomain = context.classifierFor(domain)
  const classifier = context.wanted === 'image' ? wantingImage(ofDomain) : ofDomain
  const sent = { permit, hop, classifier, onExchange: context.onExchange }
  const startedAt = { wallMs: clocks.wallMs(), monotonicMs: clocks.monotonicMs() }
  const abort = linkAbort([signal, closing], timeouts.totalMs)
  let response: ReceivedResponse
  try {
    response = await sendAndRead(context, hop, abort.signal)
  } catch (error) {
    const failed = { error, timedOut: abort.timedOut(), startedAt }
    return throwFailure(context, sent, failed)
  } finally {
    abort.release()
  }
  const latencyMs = clocks.monotonicMs() - startedAt.monotonicMs
  return judge({ ...response, latencyMs }, sent, context)
}

/** Reports an answer that arrived, and throws where it is not one to read. */
function judge(answer: Answer, sent: Sent, { wanted, clocks }: ExchangeContext): Answer {
  const { status, headers, bodyText, latencyMs } = answer
  const nowMs = clocks.wallMs()
  if (isRedirect(status)) {
    const published = publishedLimits(headers, nowMs)
    endExchange(sent, { kind: 'neutral', latencyMs, published }, { kind: 'redirect', status })
    return answer
  }
  const { outcome, fault } = classifyResponse(sent.classifier, answer, latencyMs, nowMs)
  if (!fault) {
    endExchange(sent, outcome, { kind: 'ok', status })
    return answer
  }
  const failure = new OutsideCallError({
    ...fault,
    message: `${sent.hop.shown} answered ${status} (${fault.code}); expected 200 with ${expected[wanted]}.`,
    status,
    retryAfterMs: outcome.retryAfterMs,
    bodyHead: bodyText === '' ? undefined : bodyText.slice(0, 500),
  })
  endExchange(sent, outcome, failure)
  throw failure
}

const expected: Readonly<Record<WantedAnswer, string>> = { json: 'JSON', image: 'an image' }

interface FailedSend {
  readonly error: unknown
  readonly timedOut: boolean
  readonly startedAt: { readonly wallMs: number; readonly monotonicMs: number }
}

/** Reports that no answer came, and throws what that means. */
function throwFailure(context: ExchangeContext, sent: Sent, failed: FailedSend): never {
  const { signal, closing, clocks, timeouts } = context
  const { error, timedOut, startedAt } = failed
  if (isInvalidArgument(error)) {
    // Undici refused to send it, a fault of ours.
    sent.permit.giveBack()
    throw error
  }
  const latencyMs = clocks.monotonicMs() - startedAt.monotonicMs
  if (!timedOut && (signal.aborted || closing.aborted)) {
    endExchange(sent, { kind: 'cancelled', latencyMs }, { kind: 'cancelled' })
    throwReason(context)
  }
  const slept = wasSuspended({
    wallMs: clocks.wallMs() - startedAt.wallMs,
    monotonicMs: latencyMs,
    totalTimeoutMs: timeouts.totalMs,
  })
  const verdict = slept ? suspended : classifyFailure(timedOut ? { code: 'total_timeout' } : error)
  const { outcome, text, ...facts } = verdict
  const message = `${sent.hop.shown} ${text}; expected an answer.`
  const failure = new OutsideCallError({ ...facts, message, cause: error })
  endExchange(sent, { kind: outcome, latencyMs }, failure)
  throw failure
}

async function sendAndRead(
  { agent, timeouts, maxBodyBytes, wanted }: ExchangeContext,
  hop: Hop,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const { statusCode, headers, body } = await send(hop.url, {
    dispatcher: agent,
    method: hop.method,
    headers: hop.headers,
    body: hop.body ?? null,
    signal,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  })
  const isImage = wanted === 'image' && statusCode >= 200 && statusCode < 300
  const bodyText = isImage
    ? await readBodyHead(body)
    : await bodyOf(statusCode, body, headers, maxBodyBytes, signal)
  return { status: statusCode, headers, bodyText }
}

/** The status of a refusal says enough: its body may break off, be too long or undecodable. */
async function bodyOf(
  status: number,
  body: AsyncIterable<Uint8Array>,
  headers: ResponseHeaders,
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await readBody(body, headers, maxBodyBytes)
  } catch (error) {
    if (status < 300 || signal.aborted) throw error
    return ''
  }
}

function throwReason({ signal, closing }: ExchangeContext): never {
  signal.throwIfAborted()
  closing.throwIfAborted()
  throw new Error('aborted by nobody')
}

function isInvalidArgument(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG'
}
