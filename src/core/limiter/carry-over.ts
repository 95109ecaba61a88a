/**
 * What a limiter takes over from code older than itself: states it saved or carried into the next run, and what its
 * activities answered when they were older, which a replay reads again. None of it may stop a limiter. Of a state
 * whose shape is not that of now, what has meant the same in every version is kept: the pause by hand, the wait the
 * server asked for, the counts. What was learned is learned anew.
 */
import { initialState, type LimiterState, type Totals } from './limiter-state.ts'
import { defaultPolicy, type DomainPolicy } from './policy.ts'
import { readSavedState, type LoadedLimiter } from './saved-state.ts'
import { snapshotOf } from './snapshot.ts'
import { step } from './step.ts'

export interface TakenOver {
  /** Null when there is nothing to go on from. */
  readonly state: LimiterState | null
  /** Found and done about it; null when the state is taken over whole. */
  readonly problem: string | null
}

/** @param nowMs Wall clock of the limiter that takes over. */
export function takeOver(stored: unknown, domain: string, nowMs: number): TakenOver {
  if (stored === null || stored === undefined) return { state: null, problem: null }
  const found = readSavedState(stored, domain)
  const whole = found && { ...found, policy: wholePolicy(domain, found.policy) }
  if (whole !== null && isDigested(whole, nowMs)) return { state: whole, problem: null }
  const state = whatLasts(stored, domain, nowMs)
  const kept = state === null ? 'nothing of it is kept' : 'its pause, wait and counts are kept'
  return { state, problem: `found ${versionText(stored)}, which this version cannot read; ${kept}` }
}

/** @param loaded As `loadLimiterState` of any version answered it: the first ones answered the bare state. */
export function readLoaded(loaded: unknown, starters: DomainPolicy): LoadedLimiter {
  if (!isRecord(loaded)) return { state: null, policy: starters, pausedBecause: null }
  if ('stepVersion' in loaded) return { state: loaded, policy: starters, pausedBecause: null }
  const { state = null, policy, pausedBecause } = loaded
  return {
    state,
    policy: isRecord(policy) ? { ...starters, ...policy } : starters,
    pausedBecause: typeof pausedBecause === 'string' ? pausedBecause : null,
  }
}

/** A policy of an older version lacks the fields that came later: those are as shipped. */
export function wholePolicy(domain: string, policy: Partial<DomainPolicy> | undefined) {
  return { ...defaultPolicy(domain), ...policy }
}

function isDigested(state: LimiterState, nowMs: number): boolean {
  try {
    snapshotOf(step(state, { kind: 'tick' }, nowMs, 0).state)
    return true
  } catch {
    // Told by the caller, who knows what becomes of the state.
    return false
  }
}

function whatLasts(stored: unknown, domain: string, nowMs: number): LimiterState | null {
  if (!isRecord(stored) || stored['domain'] !== domain) return null
  const { wallMs, clockMs, pauseUntilMs, pausedBecause, totals } = stored
  const policy = isRecord(stored['policy']) ? stored['policy'] : undefined
  const fresh = initialState(domain, wholePolicy(domain, policy), nowMs)
  const waitMs = isNumber(pauseUntilMs) && isNumber(clockMs) ? pauseUntilMs - clockMs : 0
  const agoMs = isNumber(wallMs) ? Math.max(0, nowMs - wallMs) : 0
  const leftMs = Math.max(0, waitMs - agoMs)
  return {
    ...fresh,
    pauseUntilMs: leftMs,
    resumedMs: leftMs > 0 ? leftMs : fresh.resumedMs,
    pausedBecause: typeof pausedBecause === 'string' ? pausedBecause : null,
    totals: isRecord(totals) ? totalsOf(totals, fresh.totals) : fresh.totals,
  }
}

function totalsOf(stored: Readonly<Record<string, unknown>>, none: Totals): Totals {
  const count = (name: keyof Totals): number => {
    const value = stored[name]
    return isNumber(value) ? value : none[name]
  }
  return {
    sent: count('sent'),
    refused: count('refused'),
    denied: count('denied'),
    waited: count('waited'),
    retries: count('retries'),
  }
}

function versionText(stored: unknown): string {
  const version = isRecord(stored) ? stored['stepVersion'] : undefined
  return isNumber(version) ? `a state of version ${version}` : 'a state without version'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
