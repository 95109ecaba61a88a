/**
 * One process's dealings with the limiter of one domain.
 *
 * Callers join a short line. `#pump` runs after everything that happens (a caller, an ended request, a
 * reply, an alarm): it hands due permits of the held leases to the line, turns away whom no permit can
 * reach in time, says to the limiter what `nextTalk` finds due, and sets the alarm for what comes next.
 *
 *   leases: asked for ──▶ held ──▶ spent or expired      a refusal by the server: held leases end at
 *              ▲            │                            once, the limiter is told, nothing is sent
 *              └── renewed ─┘                            before the wait the server asked for
 *
 *   limiter silent: leases are spent, then `safe-rate.ts` says how fast to go on, if at all
 */
import { nextTalk, type BrokerView, type Talk } from '../core/limiter/broker-agenda.ts'
import type { CallOutcome, Permit, PermitRequest } from '../core/limiter/permit.ts'
import type { LeaseGrant } from '../core/limiter/protocol.ts'
import type { Errand } from '../core/limiter/report-tally.ts'
import { placeInLine, type Claimant } from '../core/limiter/waiting-line.ts'
import type { OutsideCallError } from '../errors.ts'
import { Alarm } from './alarm.ts'
import { CallerLine } from './caller-line.ts'
import { DemandMeter } from './demand-meter.ts'
import type { DomainStatus } from './domain-status.ts'
import { LeasePurse } from './lease-purse.ts'
import { LimiterTalk, type LimiterTalkOptions } from './limiter-talk.ts'
import { LimiterWord } from './limiter-word.ts'
import { oncePermit } from './once-permit.ts'
import { Outlook } from './outlook.ts'
import { RefusalNotifier } from './refusal-notifier.ts'
import { ReportBook, type LeaseName } from './report-book.ts'
import { RetryAllowance } from './retry-allowance.ts'
import { SnapshotDesk, type KeepSnapshot } from './snapshot-desk.ts'

export interface DomainBrokerOptions extends LimiterTalkOptions {
  /** Requests per second to reckon with until the limiter names a rate; what else holds, only the limiter says. */
  readonly firstRate: number
  readonly keepSnapshot?: KeepSnapshot | undefined
}

/** A caller occupies an activity slot: longer waits happen outside this process. */
const PATIENCE_MS = 2_000
/** A caller that waits longer than this is counted as throttled. */
const WAITED_MS = 1_000

export class DomainBroker {
  readonly #options: DomainBrokerOptions
  readonly #book = new ReportBook()
  readonly #purse = new LeasePurse(this.#book)
  readonly #line = new CallerLine()
  readonly #meter = new DemandMeter()
  readonly #talk: LimiterTalk
  readonly #notifier: RefusalNotifier
  readonly #alarm: Alarm
  readonly #word = new LimiterWord()
  readonly #retries = new RetryAllowance()
  readonly #desk: SnapshotDesk
  readonly #outlook: Outlook
  #inFlight = 0
  #lastCallerMs = -Infinity
  #conversation: Promise<void> = Promise.resolve()
  #isPumpDue = false
  #isClosed = false

  constructor(options: DomainBrokerOptions) {
    this.#options = options
    this.#talk = new LimiterTalk(options, this.#book)
    this.#desk = new SnapshotDesk(options.keepSnapshot)
    const heard = { word: this.#word, purse: this.#purse, talk: this.#talk }
    this.#outlook = new Outlook({ ...options, ...heard })
    this.#alarm = new Alarm(options.clock, () => this.#pump())
    // A lost signal costs nothing: the next `acquire` carries the same refusal in its report.
    this.#notifier = new RefusalNotifier((news) => {
      const notice = { ...news, reports: this.#book.collect(options.clock.nowMs()) }
      void options.channel.refused(options.domain, notice).catch((err: unknown) => {
        options.log.info({ domain: options.domain, err }, 'refusal not signalled')
      })
    })
  }

  async acquire(request: PermitRequest): Promise<Permit> {
    const { project, priority = 'normal', weight, attempt = 1, signal } = request
    const claimant = { project, priority }
    signal.throwIfAborted()
    const nowMs = this.#options.clock.nowMs()
    this.#lastCallerMs = nowMs
    this.#meter.count(claimant, nowMs, weight)
    const place = placeInLine(this.#line.claimants, claimant)
    const ahead = this.#purse.ahead(this.#line.claimants, claimant)
    const waitMs = this.#outlook.waitMs(nowMs, ahead)
    if (this.#isClosed || place.kind === 'turn_away' || waitMs > PATIENCE_MS) {
      this.#pumpSoon()
      throw this.#turnAway(nowMs)
    }
    if (place.kind === 'replace') this.#line.turnAway(place.index, this.#turnAway(nowMs))
    const waiting = { ...claimant, isRetry: attempt > 1 }
    const coming = this.#line.join(waiting, nowMs, PATIENCE_MS, signal)
    this.#pumpSoon()
    const permit = await coming
    if (signal.aborted) {
      permit.giveBack()
      signal.throwIfAborted()
    }
    return permit
  }

  /** Whether the quota pays for the repeat of a try that has just failed. */
  takeRetry(): boolean {
    return this.#retries.take()
  }

  /** Tells the limiter what it does not know yet, and resolves when its figures with all of that are stored. */
  async settle(): Promise<void> {
    while (this.#talk.isTalking) await this.#conversation
    if (this.#desk.isBehind && !this.#isClosed) {
      this.#desk.isNews()
      this.#conversation = this.#say('acquire')
      await this.#conversation
    }
    await this.#desk.kept
  }

  /** Turns everybody away and gives back what is held. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#alarm.off()
    const nowMs = this.#options.clock.nowMs()
    this.#line.turnAwayBefore(Infinity, () => this.#turnAway(nowMs))
    await this.#conversation
    if (this.#view(nowMs).registered || this.#book.hasUntold) await this.#release(nowMs)
    await this.#desk.kept
  }

  /** Nothing would be lost by forgetting this domain. */
  get isQuiet(): boolean {
    const nowMs = this.#options.clock.nowMs()
    const { waiting, inFlight, registered, untold } = this.#view(nowMs)
    const isBusy = waiting > 0 || inFlight > 0 || registered || untold || this.#talk.isTalking
    return !isBusy && nowMs >= Math.max(this.#word.askNotBeforeMs, this.#outlook.lastPromiseMs)
  }

  get status(): DomainStatus {
    const nowMs = this.#options.clock.nowMs()
    return {
      domain: this.#options.domain,
      waiting: this.#line.length,
      inFlight: this.#inFlight,
      permitsLeft: this.#purse.left(nowMs),
      rate: this.#word.rate,
      retryQuota: this.#retries.quota,
      ...this.#outlook.holding(nowMs),
    }
  }

  /** Callers that come together are asked for together. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return
    this.#isPumpDue = true
    queueMicrotask(() => this.#pump())
  }

  #pump(): void {
    this.#isPumpDue = false
    if (this.#isClosed) return
    const nowMs = this.#options.clock.nowMs()
    if (this.#purse.settle(nowMs) > 0 && this.#line.length === 0) {
      this.#outlook.forgetPromises(nowMs)
      this.#meter.forget()
    }
    this.#goOnAlone(nowMs)
    this.#serve(nowMs)
    const soonestMs = nowMs + this.#outlook.waitMs(nowMs, 0)
    this.#line.turnAwayBefore(soonestMs, () => this.#turnAway(nowMs))
    this.#notifier.flush(nowMs)
    const talk = this.#talk.isTalking ? null : nextTalk(this.#view(nowMs), nowMs)
    if (talk !== null && talk.atMs <= nowMs) {
      this.#conversation = this.#say(talk.kind)
      this.#setAlarm(nowMs, undefined)
    } else this.#setAlarm(nowMs, talk?.atMs)
  }

  #serve(nowMs: number): void {
    while (this.#line.length > 0 && this.#canSend(nowMs)) {
      const taken = this.#purse.take(this.#line.claimants, nowMs)
      const caller = taken && this.#line.at(taken.index)
      if (taken === undefined || caller === undefined) return
      this.#inFlight += 1
      const errand = {
        hasWaited: nowMs - caller.sinceMs > WAITED_MS,
        isRetry: caller.claimant.isRetry,
        dues: taken.dues,
      }
      this.#line.serve(taken.index, this.#permit(taken.lease, caller.claimant, errand))
    }
  }

  #canSend(nowMs: number): boolean {
    return this.#inFlight < this.#outlook.inFlightCap(nowMs) && this.#word.heldForMs(nowMs) === 0
  }

  /** The limiter is silent and its leases are spent. */
  #goOnAlone(nowMs: number): void {
    if (this.#line.length === 0 || this.#purse.left(nowMs) > 0 || !this.#canSend(nowMs)) return
    const rate = this.#outlook.safeRate(nowMs)
    if (rate <= 0) return
    this.#purse.addSafe(rate, this.#word.epoch, nowMs)
  }

  #permit(lease: LeaseName, claimant: Claimant, errand: Errand): Permit {
    return oncePermit(this.#options.domain, (outcome) => {
      this.#inFlight -= 1
      if (outcome === null) this.#purse.giveBack(lease, claimant)
      else this.#ended(lease, outcome, errand)
      this.#pump()
    })
  }

  #ended(lease: LeaseName, outcome: CallOutcome, errand: Errand): void {
    const nowMs = this.#options.clock.nowMs()
    this.#book.outcome(lease, outcome, errand, nowMs)
    this.#desk.requestEnded()
    this.#retries.ended(errand.isRetry, outcome.kind)
    if (outcome.kind !== 'throttled') return
    if (!this.#word.serverRefused(lease.epoch, outcome.retryAfterMs ?? 0, nowMs)) return
    this.#desk.isNews()
    this.#purse.drop(nowMs)
    this.#notifier.add(lease, outcome.retryAfterMs, nowMs)
  }

  async #say(kind: Talk['kind']): Promise<void> {
    const nowMs = this.#options.clock.nowMs()
    await (kind === 'release' ? this.#release(nowMs) : this.#acquire(nowMs))
    this.#pump()
  }

  async #release(nowMs: number): Promise<void> {
    this.#purse.drop(nowMs)
    const leaseIds = this.#word.leaseIds(nowMs)
    const { ended } = this.#desk
    const reply = await this.#talk.release(leaseIds, this.#inFlight, true)
    if (reply === undefined) return
    this.#word.released(leaseIds)
    this.#desk.took(reply.snapshot, ended, nowMs)
  }

  async #acquire(nowMs: number): Promise<void> {
    const { clock } = this.#options
    const { ended } = this.#desk
    const isVain = this.#word.isVain(nowMs)
    const wants = isVain ? [] : this.#meter.wants(this.#line.claimants, nowMs)
    const said = await this.#talk.acquire(wants, this.#inFlight, this.#desk.isDue(nowMs))
    if (said === undefined) return
    const { reply, sentMs } = said
    this.#purse.heard(sentMs)
    this.#purse.dropSafe()
    if (reply.granted) this.#granted(reply, sentMs)
    else {
      this.#word.refused(reply, sentMs, clock.nowMs())
      if (reply.revoked) this.#purse.drop(clock.nowMs())
    }
    this.#desk.took(reply.snapshot, ended, nowMs)
  }

  #granted(grant: LeaseGrant, sentMs: number): void {
    const nowMs = this.#options.clock.nowMs()
    this.#word.granted(grant, sentMs, nowMs)
    this.#purse.add(grant, sentMs, nowMs)
    if (this.#word.isVoid(grant.epoch)) this.#purse.drop(nowMs)
  }

  #turnAway(nowMs: number): OutsideCallError {
    return this.#outlook.turnAway(nowMs, this.#line.length)
  }

  #view(nowMs: number): BrokerView {
    return {
      waiting: this.#line.length,
      permitsLeft: this.#purse.left(nowMs),
      inFlight: this.#inFlight,
      untold: this.#book.hasUntold,
      registered: this.#word.leaseIds(nowMs).length > 0,
      lastCallerMs: this.#lastCallerMs,
      lastTalkMs: this.#talk.lastTalkMs,
      renewAtMs: Math.min(this.#word.renewAtMs, this.#purse.lookOutMs),
      askNotBeforeMs: this.#word.askNotBeforeMs,
      retryAtMs: this.#talk.retryAtMs,
    }
  }

  #setAlarm(nowMs: number, talkAtMs: number | undefined): void {
    const moments = [talkAtMs, this.#notifier.dueMs, this.#line.nextUntilMs]
    if (this.#line.length > 0) {
      const heldForMs = this.#word.heldForMs(nowMs)
      if (heldForMs > 0) moments.push(nowMs + heldForMs)
      else if (this.#canSend(nowMs)) moments.push(this.#purse.nextMs(nowMs))
      const awayFromMs = this.#outlook.awayFromMs ?? -Infinity
      if (awayFromMs > nowMs) moments.push(awayFromMs)
    }
    this.#alarm.set(moments, nowMs)
  }
}
