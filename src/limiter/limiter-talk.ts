/** One conversation with one limiter: one message at a time, repeated under the same id until it is answered. */
import type {
  AcquireReply,
  AcquireRequest,
  ProjectWant,
  ReleaseReply,
} from '../core/limiter/protocol.ts'
import type { BrokerClock } from './broker-clock.ts'
import type { BrokerLog } from './broker-log.ts'
import type { LimiterChannel } from './limiter-channel.ts'
import type { ReportBook } from './report-book.ts'

export interface LimiterTalkOptions {
  readonly domain: string
  readonly worker: string
  /** Makes request ids unique over restarts of a worker that keeps its name. */
  readonly nonce: string
  readonly channel: LimiterChannel
  readonly clock: BrokerClock
  readonly random: () => number
  readonly log: BrokerLog
}

interface Unanswered {
  readonly request: AcquireRequest
  /** When it was first sent. */
  readonly sentMs: number
}

export interface Answered {
  readonly reply: AcquireReply
  /** When the request was first sent: the lease counts from there. */
  readonly sentMs: number
}

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 1_000
/** A lease asked for longer ago would be over: ask for a new one. */
const WORTH_REPEATING_MS = 4_000
/** Part of the difference by which a faster message counts. */
const FORGOTTEN = 0.1
/** A limiter that continues as new in the wrong instant costs one failure; this many are news. */
const FAILURES_LOGGED = 3

export class LimiterTalk {
  readonly #options: LimiterTalkOptions
  readonly #book: ReportBook
  #unanswered: Unanswered | undefined
  #messages = 0
  #failures = 0
  #isTalking = false
  #lastTalkMs = -Infinity
  #retryAtMs = -Infinity
  #silentSinceMs: number | undefined
  /** Follows slow messages at once and forgets them slowly. */
  #roundTripMs: number | undefined

  constructor(options: LimiterTalkOptions, book: ReportBook) {
    this.#options = options
    this.#book = book
  }

  get isTalking(): boolean {
    return this.#isTalking
  }

  get lastTalkMs(): number {
    return this.#lastTalkMs
  }

  /** No message before this, since the last found no answer. */
  get retryAtMs(): number {
    return this.#retryAtMs
  }

  /** When the first message was sent that nobody has answered yet. */
  get silentSinceMs(): number | undefined {
    return this.#silentSinceMs
  }

  /** @returns undefined when no answer came; the next call repeats the request. */
  async acquire(
    wants: readonly ProjectWant[],
    inFlight: number,
    snapshot: boolean,
  ): Promise<Answered | undefined> {
    const { domain, worker, channel, clock } = this.#options
    const nowMs = clock.nowMs()
    const stale = nowMs - (this.#unanswered?.sentMs ?? -Infinity) >= WORTH_REPEATING_MS
    const fresh = (): AcquireRequest => ({
      worker,
      requestId: this.#nextId(),
      wants,
      inFlight,
      reports: this.#book.collect(nowMs),
      ...(this.#roundTripMs === undefined ? {} : { roundTripMs: Math.ceil(this.#roundTripMs) }),
      takesSpare: true,
      snapshot,
    })
    // Where the first never arrived, the repeat must not hide what was sent since.
    const again = (last: Unanswered): Unanswered => ({
      ...last,
      request: { ...last.request, inFlight },
    })
    const open =
      stale || !this.#unanswered ? { request: fresh(), sentMs: nowMs } : again(this.#unanswered)
    this.#unanswered = open
    const said = await this.#say(() => channel.acquire(domain, open.request))
    if (said === undefined) return undefined
    this.#unanswered = undefined
    this.#book.answered(open.request.reports)
    return { reply: said.answer, sentMs: open.sentMs }
  }

  /** @returns undefined when no answer came. */
  async release(
    leaseIds: readonly string[],
    inFlight: number,
    snapshot: boolean,
  ): Promise<ReleaseReply | undefined> {
    const { domain, worker, channel, clock } = this.#options
    const reports = this.#book.collect(clock.nowMs())
    const request = { worker, requestId: this.#nextId(), leaseIds, inFlight, reports, snapshot }
    const said = await this.#say(() => channel.release(domain, request))
    if (said === undefined) return undefined
    this.#unanswered = undefined
    this.#book.answered(reports)
    return said.answer ?? {}
  }

  async #say<T>(call: () => Promise<T>): Promise<{ readonly answer: T } | undefined> {
    const { clock, domain, log } = this.#options
    this.#isTalking = true
    this.#lastTalkMs = clock.nowMs()
    this.#silentSinceMs ??= this.#lastTalkMs
    try {
      const answer = await call()
      if (this.#failures >= FAILURES_LOGGED) log.info({ domain }, 'limiter answers again')
      this.#failures = 0
      this.#retryAtMs = -Infinity
      this.#silentSinceMs = undefined
      const tookMs = Math.max(0, clock.nowMs() - this.#lastTalkMs)
      const beforeMs = this.#roundTripMs ?? 0
      this.#roundTripMs = Math.max(tookMs, beforeMs + FORGOTTEN * (tookMs - beforeMs))
      return { answer }
    } catch (error) {
      this.#failed(error)
      return undefined
    } finally {
      this.#isTalking = false
    }
  }

  #failed(error: unknown): void {
    const { clock, random, domain, log } = this.#options
    this.#failures += 1
    const stepMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1))
    this.#retryAtMs = clock.nowMs() + stepMs * (0.5 + random())
    if (this.#failures === FAILURES_LOGGED) {
      log.warn(
        { domain, err: error },
        'limiter does not answer; requests go on as far as it allowed',
      )
    }
  }

  #nextId(): string {
    this.#messages += 1
    return `${this.#options.worker}-${this.#options.nonce}-${this.#messages.toString(36)}`
  }
}
