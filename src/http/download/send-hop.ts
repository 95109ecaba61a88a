/**
 * One permitted request and the headers of its answer; the body is left to the caller, who ends it.
 *
 *   blocked literal, no contact ──▶ thrown, no permit taken
 *   permit ──▶ sent ──┬─▶ headers ──▶ the caller reads or drops the body ──▶ `end`: permit reported, exchange told
 *                     └─▶ none, cancelled ──▶ reported, thrown
 *
 * Invariant: a permit that was got is reported or given back exactly once.
 */
import { type Dispatcher, request as send } from 'undici'
import {
  isAllowedAddress,
  isBlockedAddress,
  literalAddress,
} from '../../core/download/blocked-address.ts'
import type { FailureReason } from '../../core/download/failure-reason.ts'
import type { DownloadHop } from '../../core/download/redirect-hop.ts'
import { domainKey } from '../../core/domain-key.ts'
import type { CallOutcome, Permit } from '../../core/limiter/permit.ts'
import type { ResponseHeaders } from '../../core/retry-after.ts'
import { OutsideCallError } from '../../errors.ts'
import { wasSuspended } from '../classify-failure.ts'
import { shownUrl } from '../http-url.ts'
import { isLoopback } from '../loopback.ts'
import { publishedLimits } from '../published-limits.ts'
import { contactRequired } from '../user-agent.ts'
import { DownloadError } from './download-error.ts'
import type { DownloadExchange } from './download-exchange.ts'
import { failureOf, failureText, outcomeOf } from './failure-of.ts'
import type { TransferContext } from './transfer-context.ts'

export interface Ended {
  readonly wireBytes?: number
  readonly retryAfterMs?: number | undefined
  /** Null: well, or as `kind` says. */
  readonly reason?: FailureReason | null
  readonly kind?: DownloadExchange['kind']
}

export interface OpenAnswer {
  readonly domain: string
  readonly hop: DownloadHop
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: Dispatcher.ResponseData['body']
  /** To be called exactly once, when the body has been read or dropped. */
  end(ended: Ended): void
}

export interface HopRequest {
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  /** First byte that is asked for. */
  readonly offset: number
}

/** @throws DownloadError, UsageError `contact_required`, the reason of the caller's signal */
export async function sendHop(
  context: TransferContext,
  hop: DownloadHop,
  request: HopRequest,
): Promise<OpenAnswer> {
  const { call, watch, clocks, options } = context
  refuseAddress(context, hop)
  const domain = domainKey(hop.url.href)
  const wantedMs = clocks.monotonicMs()
  const permit = await acquire(context, domain)
  if (watch.signal.aborted) {
    permit.giveBack()
    watch.throwIfCancelled()
  }
  const started = { wallMs: clocks.wallMs(), monotonicMs: clocks.monotonicMs() }
  const shown = hop.visited.length === 0 ? shownUrl(hop.url) : `${hop.url.origin} (redirected)`
  const passedMs = (): number => clocks.monotonicMs() - started.monotonicMs
  const tell = (status: number | null, ended: Ended): void =>
    call.onExchange({
      domain,
      method: request.method,
      url: shown,
      status,
      latencyMs: passedMs(),
      permitMs: started.monotonicMs - wantedMs,
      wireBytes: ended.wireBytes ?? 0,
      kind: ended.kind ?? 'ok',
      reason: ended.reason ?? null,
      offset: request.offset,
    })
  try {
    const { statusCode, headers, body } = await watch.timed(() => sendIt(context, hop, request))
    // Of the headers: how long a file is says nothing of how busy its host is.
    const latencyMs = passedMs()
    // It can break off before somebody reads it, who then hears of it.
    body.on('error', () => {})
    return {
      domain,
      hop,
      status: statusCode,
      headers,
      body,
      end(ended) {
        const published = publishedLimits(headers, clocks.wallMs())
        permit.report({ ...outcome(ended, latencyMs), published })
        tell(statusCode, ended)
      },
    }
  } catch (error) {
    const suspended = wasSuspended({
      wallMs: clocks.wallMs() - started.wallMs,
      monotonicMs: passedMs(),
      totalTimeoutMs: context.limits.totalMs,
    })
    const { fault } = watch
    if (watch.signal.aborted && fault === null) {
      permit.report({ kind: 'cancelled', latencyMs: passedMs() })
      tell(null, { kind: 'cancelled' })
      watch.throwIfCancelled()
    }
    const reason = suspended ? 'suspended' : (fault ?? failureOf(error))
    const failure = new DownloadError({
      reason,
      message: `${shown} ${failureText(reason)}; expected an answer.`,
      hint: hintFor(reason, domain, options.contact),
      cause: error,
    })
    const ended = { reason, kind: failure.kind }
    // Nothing was sent to a peer that is not to be called.
    if (reason === 'blocked-address' || reason === 'blocked-port') permit.giveBack()
    else permit.report(outcome(ended, passedMs()))
    tell(null, ended)
    throw failure
  }
}

function sendIt(
  { options, agentName, limits, watch }: TransferContext,
  hop: DownloadHop,
  { method, headers }: HopRequest,
): Promise<Dispatcher.ResponseData> {
  return send(hop.url, {
    dispatcher: options.agents.agent,
    method,
    headers: {
      accept: '*/*',
      ...hop.headers,
      ...headers,
      // Ranges and digests are of the bytes as they are; what is encoded all the same is decoded when it is whole.
      'accept-encoding': 'identity',
      'user-agent': agentName,
    },
    signal: watch.signal,
    headersTimeout: limits.headersMs,
    // The pace is watched by ourselves: undici's limit is defeated by a dripping server.
    bodyTimeout: 0,
  })
}

function outcome({ reason, kind, retryAfterMs }: Ended, latencyMs: number): CallOutcome {
  if (kind === 'cancelled') return { kind: 'cancelled', latencyMs }
  if (reason === null || reason === undefined) {
    return { kind: kind === 'redirect' ? 'neutral' : 'ok', latencyMs }
  }
  return { kind: outcomeOf(reason), latencyMs, retryAfterMs }
}

/** Literal addresses never reach the look-up of the guard. */
function refuseAddress({ options }: TransferContext, { url }: DownloadHop): void {
  const { allowed, ports } = options.agents
  const address = literalAddress(url.hostname)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const refuse = (reason: FailureReason): never => {
    const message = `${domainKey(url.href)} ${failureText(reason)}; expected a public one.`
    throw new DownloadError({ reason, message, hint: hintFor(reason, url.host, options.contact) })
  }
  if (address !== undefined) {
    if (isBlockedAddress(address, allowed)) refuse('blocked-address')
    if (!ports.has(port) && !isAllowedAddress(address, allowed)) refuse('blocked-port')
  }
  if ((options.contact ?? '').trim() === '' && !isLoopback(url)) throw contactRequired(url.host)
}

async function acquire({ options, call }: TransferContext, domain: string): Promise<Permit> {
  const { project, attempt, signal } = call
  try {
    return await options.permits.acquire({ domain, project, attempt, signal })
  } catch (error) {
    if (!(error instanceof OutsideCallError)) throw error
    const { message, hint, retryAfterMs } = error
    throw new DownloadError({ reason: 'no-permit-soon', message, hint, retryAfterMs, cause: error })
  }
}

function hintFor(
  reason: FailureReason,
  host: string,
  contact: string | undefined,
): string | undefined {
  if (reason === 'blocked-address' || reason === 'blocked-port') {
    return `If ${host} is one of your own servers, add its address to the allowed ones of downloads.`
  }
  return reason.startsWith('tls-') && contact !== undefined
    ? `Check the address; a certificate authority of your own can be given for ${host}.`
    : undefined
}
