/**
 * The limiter of one domain: a workflow that lives as long as somebody asks.
 *
 *   start ──▶ load saved state ──▶ serve ──┬── counters full ──▶ save ──▶ continue as new (whole state)
 *                                    ▲     └── idle ──▶ save ──┬── still idle ──▶ complete
 *                                    └───────────────────────────┘ somebody asked
 *
 * Messages are served in every one of these states: handlers are synchronous, never wait and never
 * throw, and all they do is `step`. What this workflow commands (one timer, load, save, continue as
 * new, complete) follows from its own counters and clock, never from what `step` decided, so a new
 * version of `step` cannot break the replay of an old run.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  log,
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import { readLoaded, takeOver, wholePolicy } from '../core/limiter/carry-over.ts'
import {
  problemOfAcquire,
  problemOfNotice,
  problemOfPause,
  problemOfPolicy,
  problemOfRelease,
  type Problem,
} from '../core/limiter/check-message.ts'
import { initialState, STEP_VERSION, type LimiterState } from '../core/limiter/limiter-state.ts'
import type { DomainPolicy } from '../core/limiter/policy.ts'
import type { AcquireReply, ReleaseReply, ReleaseRequest } from '../core/limiter/protocol.ts'
import type { LimiterStateActivities } from '../core/limiter/saved-state.ts'
import { snapshotOf } from '../core/limiter/snapshot.ts'
import { stepOfVersion } from '../core/limiter/step-versions.ts'
import type { LimiterEvent } from '../core/limiter/step.ts'
import {
  acquireUpdate,
  pauseDomainSignal,
  refusedSignal,
  releaseUpdate,
  resetDomainSignal,
  resumeDomainSignal,
  setPolicySignal,
  snapshotQuery,
} from './messages.ts'

export interface DomainLimiterInput {
  readonly domain: string
  readonly policy: DomainPolicy
  /** Version of `step` this run keeps. */
  readonly stepVersion: number
  /** Carried over by continue-as-new. */
  readonly state?: LimiterState
  readonly renewAfter?: RunLimits
}

/** When a run hands over to the next one: well below what the server allows a run (research/temporal.md §1). */
export interface RunLimits {
  /** Of 2,000. */
  readonly updates: number
  /** Of 10,000, which the server's suggestion does not count. */
  readonly signals: number
  /** Of 51,200; replaying them after a crash must take well below the 2 s of a workflow task, on a slow machine too. */
  readonly events: number
}

const runLimits: RunLimits = { updates: 200, signals: 600, events: 1_000 }
/** A run in a storm of messages ends all the same: callers repeat what found no answer. */
const QUIET_TRIES = 20
const QUIET_MS = 10
/** Asked again in this time when `step` itself failed. */
const AFTER_INTERNAL_ERROR_MS = 1_000

/** A silent database costs a starting domain these 4 s once, and never a permit later. */
const store = proxyActivities<LimiterStateActivities>({
  startToCloseTimeout: '2s',
  scheduleToCloseTimeout: '4s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
})

export async function domainLimiter(input: DomainLimiterInput): Promise<void> {
  const { domain } = input
  const policy = wholePolicy(domain, input.policy)
  const limits = input.renewAfter ?? runLimits
  const step = stepOfVersion(input.stepVersion)
  const carried = takeOver(input.state, domain, Date.now())
  if (carried.problem !== null)
    log.warn('limiter begins anew', { domain, problem: carried.problem })
  const isFirstRun = input.state === undefined
  let state = carried.state ?? initialState(domain, policy, Date.now())
  // Only the first run of a limiter loads what was saved.
  if (!isFirstRun && !state.restored) state = { ...state, restored: true }
  let updates = 0
  let signals = 0
  let lastMessageMs = Date.now()
  /** Length of the history, which names the workflow task, when the last message came. */
  let lastMessageTask = -1

  /** A plain error in a handler would fail the workflow task for ever, so a bug in `step` only costs its message. */
  const apply = (event: LimiterEvent): AcquireReply => {
    try {
      const result = step(state, event, Date.now(), Math.random())
      state = result.state
      setCurrentDetails(describe(state))
      return result.replies[0] ?? internalError
    } catch (error) {
      log.error('limiter step failed', { domain, event: event.kind, error })
      return internalError
    }
  }
  const noteMessage = (): void => {
    lastMessageMs = Date.now()
    lastMessageTask = workflowInfo().historyLength
  }
  const onUpdate = (event: LimiterEvent): AcquireReply => {
    updates += 1
    noteMessage()
    return apply(event)
  }
  const onRelease = (request: ReleaseRequest): ReleaseReply | undefined => {
    onUpdate({ kind: 'release', request })
    if (request.snapshot !== true) return undefined
    try {
      return { snapshot: snapshotOf(state) }
    } catch (error) {
      log.error('limiter has no figures', { domain, error })
      return {}
    }
  }
  const onSignal = (event: LimiterEvent, problem: Problem): void => {
    signals += 1
    noteMessage()
    if (problem === undefined) apply(event)
    else log.warn('malformed signal ignored', { domain, event: event.kind, problem })
  }

  /** What an operator says while the state is loading is newer than what is loaded. */
  const early: LimiterEvent[] = []
  const onOperator = (event: LimiterEvent, problem: Problem): void => {
    if (!state.restored && problem === undefined) early.push(event)
    onSignal(event, problem)
  }

  setHandler(acquireUpdate, (request) => onUpdate({ kind: 'acquire', request }), {
    validator: (request) => refuse(problemOfAcquire(request)),
  })
  setHandler(releaseUpdate, (request) => onRelease(request), {
    validator: (request) => refuse(problemOfRelease(request)),
  })
  setHandler(refusedSignal, (notice) =>
    onSignal({ kind: 'refused', notice }, problemOfNotice(notice)),
  )
  setHandler(pauseDomainSignal, (request) =>
    onOperator({ kind: 'pause', request }, problemOfPause(request)),
  )
  setHandler(resumeDomainSignal, () => onOperator({ kind: 'resume' }, undefined))
  setHandler(resetDomainSignal, () => onOperator({ kind: 'reset' }, undefined))
  setHandler(setPolicySignal, (request) =>
    onOperator({ kind: 'policy', policy: request?.policy }, problemOfPolicy(request)),
  )
  setHandler(snapshotQuery, () => snapshotOf(step(state, { kind: 'tick' }, Date.now(), 0).state))

  if (isFirstRun) {
    const answer: unknown = await orElse(store.loadLimiterState(domain, policy), null)
    const loaded = readLoaded(answer, policy)
    const saved = takeOver(loaded.state, domain, Date.now())
    if (saved.problem !== null) log.warn('limiter begins anew', { domain, problem: saved.problem })
    apply({ kind: 'restored', saved: saved.state })
    // Nothing is granted before; a saved state that `step` cannot digest must not keep it so.
    if (!state.restored) apply({ kind: 'restored', saved: null })
    apply({ kind: 'policy', policy: loaded.policy })
    const reason = loaded.pausedBecause
    if (reason !== null) apply({ kind: 'pause', request: { reason } })
    for (const event of early) apply(event)
  }

  const isFull = () =>
    updates >= limits.updates ||
    signals >= limits.signals ||
    workflowInfo().historyLength >= limits.events ||
    workflowInfo().continueAsNewSuggested
  const isAnswering = () => workflowInfo().historyLength === lastMessageTask
  const idleInMs = () => lastMessageMs + state.policy.domainStateTtlMs - Date.now()
  const saveNow = async () => store.saveLimiterState({ domain, state, snapshot: snapshotOf(state) })
  const save = () => orElse(saveNow(), undefined)

  for (;;) {
    await condition(isFull, Math.max(1, idleInMs()))
    if (isFull()) {
      await save()
      // What the last task of a run answers may never reach its caller (temporalio/temporal#6375).
      for (let tries = 0; tries < QUIET_TRIES && isAnswering(); tries += 1) await sleep(QUIET_MS)
      await condition(allHandlersFinished)
      const carried = { policy: state.policy, stepVersion: STEP_VERSION, state }
      const next: DomainLimiterInput = { ...input, ...carried }
      await makeContinueAsNewFunc<typeof domainLimiter>()(next)
    }
    if (idleInMs() > 0) continue
    await save()
    if (idleInMs() <= 0 && allHandlersFinished()) return
  }
}

const internalError: AcquireReply = {
  granted: false,
  reason: 'internal_error',
  askAgainMs: AFTER_INTERNAL_ERROR_MS,
  revoked: false,
  safeRate: 0,
}

function refuse(problem: Problem): void {
  if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem, 'malformed_message')
}

/** The database may be away; the limiter then goes on with what it knows. */
async function orElse<T, U>(promise: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await promise
  } catch (error) {
    log.warn('limiter state not saved or loaded', { error })
    return otherwise
  }
}

/** Shown in the Temporal UI. */
function describe(state: LimiterState): string {
  const now = snapshotOf(state)
  const hold = now.hold === null ? 'sending' : `${now.hold} for ${now.nextEarliest} ms`
  return `${hold}; ${now.fillRate.toFixed(2)} requests/s, ${now.inFlight} in flight, ${now.totalRequests} sent`
}
