/**
 * The bytes of a file, over as many requests as it takes: resumed after a break where it is surely the same file, begun
 * anew where it is not (`resume-policy.ts`). Each request begins at the address of the plan.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { contentRange } from '../../core/download/content-range.ts'
import { continuesPart, isWholePart, resumeHeaders } from '../../core/download/resume-policy.ts'
import { refusesRobots } from '../../core/download/robots-tag.ts'
import { askedWait } from '../../core/download/asked-wait.ts'
import { statusVerdict } from '../../core/download/status-verdict.ts'
import { headerText, type ResponseHeaders } from '../../core/retry-after.ts'
import type { FailureKind, FailureReason } from '../../core/download/failure-reason.ts'
import { DownloadError } from './download-error.ts'
import { dropBody } from './drop-body.ts'
import { failureText } from './failure-of.ts'
import { FilePart } from './file-part.ts'
import { openAnswer } from './follow-redirects.ts'
import { receiveBody, type Received } from './receive-body.ts'
import type { OpenAnswer } from './send-hop.ts'
import type { TempFile } from './temp-file.ts'
import type { TransferContext } from './transfer-context.ts'

export type ReceivedFile =
  | { readonly kind: 'part'; readonly part: FilePart }
  | { readonly kind: 'not-modified'; readonly headers: ResponseHeaders }

/** @throws DownloadError, the reason of the caller's signal, what `takeSlots` throws */
export async function receiveFile(
  context: TransferContext,
  file: TempFile,
  conditional: Readonly<Record<string, string>>,
): Promise<ReceivedFile> {
  const restored = await context.keeper?.restore()
  if (restored != null) context.tally.resumes += 1
  const receiver = new FileReceiver(context, file, restored ?? null)
  let done = await receiver.ask(conditional)
  while (done === null) done = await receiver.ask({})
  return done
}

class FileReceiver {
  readonly #context: TransferContext
  readonly #file: TempFile
  #part: FilePart | null
  #restarts = 0
  /** Since the last progress. */
  #resumes = 0
  #bytesAtBreak = 0

  /** @param part what an earlier attempt left, in the file already */
  constructor(context: TransferContext, file: TempFile, part: FilePart | null) {
    this.#context = context
    this.#file = file
    this.#part = part
  }

  /** One request. @returns null: another one is needed */
  async ask(conditional: Readonly<Record<string, string>>): Promise<ReceivedFile | null> {
    const part = this.#part
    const rest = part === null ? undefined : resumeHeaders(part.first, part.bytes)
    const answer = await this.#open(
      rest ?? conditional,
      rest === undefined ? 0 : (part?.bytes ?? 0),
    )
    if (answer === null) return null
    const { status, headers } = answer
    const verdict = statusVerdict(status, {
      range: rest !== undefined,
      conditional: Object.keys(conditional).length > 0,
      retryAfter: headerText(headers, 'retry-after') !== undefined,
      statusKinds: this.#context.plan.statusKinds,
    })
    switch (verdict.kind) {
      case 'body':
        return this.#begin(answer)
      case 'partial':
        if (part !== null && continuesPart(part.first, part.bytes, headers)) {
          part.isEndTold ||= contentRange(headers)?.totalBytes !== null
          return this.#receive(part, answer)
        }
        await this.#drop(answer)
        return this.#restart('unexpected-partial')
      case 'range-refused':
        await this.#drop(answer)
        if (part !== null && isWholePart(part.first, part.bytes, headers)) {
          part.isEndTold = true
          return { kind: 'part', part }
        }
        return this.#restart('range-refused')
      case 'not-modified':
        await this.#drop(answer)
        return { kind: 'not-modified', headers }
      case 'failure':
        return this.#fail(answer, verdict.reason, verdict.as)
      case 'redirect':
      default:
        throw new Error('redirects were followed before')
    }
  }

  /** @returns null: it could not be asked for the rest, but another time will do */
  async #open(
    headers: Readonly<Record<string, string>>,
    offset: number,
  ): Promise<OpenAnswer | null> {
    try {
      return await openAnswer(this.#context, { method: 'GET', headers, offset })
    } catch (error) {
      if (offset === 0 || !(error instanceof DownloadError)) throw error
      return this.#broken(error)
    }
  }

  async #begin(answer: OpenAnswer): Promise<ReceivedFile | null> {
    const { plan } = this.#context
    if (plan.honourRobotsTag === true && refusesRobots(answer.headers)) {
      return this.#fail(answer, 'robots-refused', 'permanent')
    }
    if (this.#part !== null) {
      // The host ignored the range, or was not asked for one: its body is the whole.
      try {
        await this.#startOver('truncated')
      } catch (error) {
        await this.#drop(answer)
        throw error
      }
    }
    const wanted = (plan.expected?.digests ?? []).map(({ algorithm }) => algorithm)
    this.#part = new FilePart(answer, wanted)
    return this.#receive(this.#part, answer)
  }

  async #receive(part: FilePart, answer: OpenAnswer): Promise<ReceivedFile | null> {
    const received: Received = await receiveBody(this.#context, { file: this.#file, part, answer })
    switch (received.kind) {
      case 'whole':
        return { kind: 'part', part }
      case 'spoilt':
        return this.#restart('checksum-mismatch')
      case 'broken':
      default:
        return this.#broken(received.failure)
    }
  }

  /** Waits for the next try, or gives up. */
  async #broken(failure: DownloadError): Promise<null> {
    const { limits, watch, tally } = this.#context
    const part = this.#part
    if (failure.kind !== 'transient' && failure.kind !== 'unreachable') throw failure
    const canResume = part !== null && resumeHeaders(part.first, part.bytes) !== undefined
    if (!canResume) {
      if (this.#restarts >= limits.maxRestarts) throw failure
      return null
    }
    if (part.bytes > this.#bytesAtBreak) this.#resumes = 0
    this.#bytesAtBreak = part.bytes
    if (this.#resumes >= limits.maxResumes) throw failure
    const waitMs = limits.resumeDelayMs * 2 ** this.#resumes
    this.#resumes += 1
    tally.resumes += 1
    await delay(waitMs, undefined, { signal: watch.signal }).catch(() => watch.throwIfCancelled())
    return null
  }

  async #restart(reason: FailureReason): Promise<null> {
    await this.#startOver(reason)
    return null
  }

  async #startOver(reason: FailureReason): Promise<void> {
    const { limits, plan, tally } = this.#context
    if (this.#restarts >= limits.maxRestarts) {
      const host = new URL(plan.url).host
      const message = `${host} broke off ${this.#restarts + 1} times and does not go on where it stopped (${reason}); expected the whole file.`
      throw new DownloadError({ reason, kind: 'transient', message })
    }
    this.#restarts += 1
    tally.restarts += 1
    this.#part = null
    this.#bytesAtBreak = 0
    await this.#file.truncate()
  }

  async #drop(answer: OpenAnswer): Promise<void> {
    await dropBody(answer.body, answer.headers)
    answer.end({ reason: null })
  }

  async #fail(answer: OpenAnswer, reason: FailureReason, kind: FailureKind): Promise<null> {
    const { limits, clocks } = this.#context
    const { status, headers, hop } = answer
    const { waitMs, parks } = askedWait(headers, clocks.wallMs(), limits.longestWaitMs)
    await dropBody(answer.body, headers)
    answer.end({ reason, kind, retryAfterMs: waitMs })
    const text =
      reason === 'throttled' ? `${failureText(reason)} (${status})` : `answered ${status}`
    const message = `${hop.url.host} ${text}; expected the file.`
    const failure = new DownloadError({
      reason,
      kind,
      message,
      status,
      retryAfterMs: waitMs,
      parks,
    })
    if (this.#part === null) throw failure
    return this.#broken(failure)
  }
}
