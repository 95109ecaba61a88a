/** Which values an operator may give to the fields of a policy. */
import { distance } from 'fastest-levenshtein'
import { longestWaitMs } from '../retry-after.ts'
import type { DomainPolicy, StrategyName } from './policy.ts'

export type PolicyField = keyof DomainPolicy

/** What an operator changes of a policy. */
export type PolicyOverride = Partial<DomainPolicy>

export interface PolicyProblem {
  readonly field: string
  /** Undefined when there is no such field. */
  readonly found: unknown
  readonly expected: string
}

export interface CheckedOverride {
  readonly good: PolicyOverride
  /** Every violation, in the order of the values. */
  readonly problems: readonly PolicyProblem[]
}

interface NumberBound {
  readonly from?: number
  readonly above?: number
  readonly to?: number
  readonly below?: number
  readonly isWhole?: true
  /** `null` switches it off. */
  readonly orNull?: true
}

const strategies: Readonly<Record<StrategyName, true>> = {
  adaptive: true,
  aimd: true,
  multiplier: true,
  cubic: true,
  fixed: true,
}

/** One request in three hours; a lease of one permit lasts as long. */
const SLOWEST_RPS = 0.0001
const FASTEST_RPS = 10_000
const HOUR_MS = 3_600_000
/** A stored statistic has room for so many steps. */
const STEPS_OF_WINDOW = 32

const rps: NumberBound = { from: SLOWEST_RPS, to: FASTEST_RPS }
const count: NumberBound = { from: 1, to: 10_000, isWhole: true }

const numbers: Readonly<Record<Exclude<PolicyField, 'strategy'>, NumberBound>> = {
  initialRps: rps,
  minRps: rps,
  maxRps: rps,
  tokenBucketCapacity: { from: 1, to: 10_000, orNull: true },
  aimdIncrease: { above: 0, to: 1_000 },
  aimdDecrease: { above: 0, below: 1 },
  latencyTargetMs: { from: 1, to: 600_000 },
  latencyDegradeFactor: { above: 1, to: 100 },
  errorRateThreshold: { above: 0, to: 1 },
  minSamplesToTrip: count,
  consecutiveFailThreshold: count,
  openStateDurationMs: { from: 100, to: 300_000 },
  halfOpenProbes: { from: 1, to: 100, isWhole: true },
  retryBaseDelayMs: { from: 100, to: HOUR_MS },
  retryMaxDelayMs: { from: 100, to: 24 * HOUR_MS },
  statsWindowMs: { from: 1_000, to: HOUR_MS },
  statsBucketMs: { from: 100, to: HOUR_MS },
  domainStateTtlMs: { from: 1_000, to: 24 * HOUR_MS },
  maxInFlight: { from: 1, to: 1_000, isWhole: true },
  minSpacingMs: { from: 0, to: HOUR_MS },
  slotMs: { from: 250, to: 60_000 },
  retryAfterCapMs: { from: 1_000, to: longestWaitMs },
  costPerSecond: { above: 0, to: 1_000_000, orNull: true },
  costBurst: { from: 0, to: 1_000_000 },
}

export const policyFields: readonly PolicyField[] = ['strategy', ...Object.keys(numbers)].filter(
  isPolicyField,
)

/** Keeps what is right and names everything that is not; how fields fit together is `fitPolicy`'s. */
export function checkOverride(values: Readonly<Record<string, unknown>>): CheckedOverride {
  const good: Record<string, unknown> = {}
  const problems: PolicyProblem[] = []
  for (const [field, found] of Object.entries(values)) {
    if (!isPolicyField(field)) {
      problems.push({ field, found: undefined, expected: nearField(field) })
    } else if (fits(field, found)) good[field] = found
    else problems.push({ field, found, expected: expectedOf(field) })
  }
  return { good, problems }
}

/** `maxRps: found 0, expected a number from 0.0001 to 10000`; `maxRsp: is no field, expected maxRps`. */
export function problemText({ field, found, expected }: PolicyProblem): string {
  if (found === undefined) return `${field}: is no field, expected ${expected}`
  return `${field}: found ${JSON.stringify(found)}, expected ${expected}`
}

/** What a field may be, in words. */
export function expectedOf(field: PolicyField): string {
  if (field === 'strategy') return `one of ${Object.keys(strategies).join(', ')}`
  const { from, above, to, below, isWhole, orNull } = numbers[field]
  const low = from === undefined ? `above ${above}` : `from ${from}`
  const high =
    to === undefined ? `below ${below}` : from === undefined ? `at most ${to}` : `to ${to}`
  const noun = isWhole === true ? 'a whole number' : 'a number'
  const range = from === undefined ? `${low}, ${high}` : `${low} ${high}`
  return `${noun} ${range}${orNull === true ? ', or none (null in the file)' : ''}`
}

/**
 * The policy with the fields that cannot stand beside each other made to fit: the highest rate, the longest
 * delay and the window stay as they are, what depends on them gives way.
 */
export function fitPolicy(policy: DomainPolicy): DomainPolicy {
  const { maxRps, statsWindowMs, costPerSecond } = policy
  const minRps = Math.min(policy.minRps, maxRps)
  const leastBucketMs = Math.ceil(statsWindowMs / STEPS_OF_WINDOW)
  // With less saved up than a request costs, none could ever be sent.
  const leastBurst = costPerSecond === null ? 0 : Math.max(1, costPerSecond)
  return {
    ...policy,
    minRps,
    initialRps: Math.min(maxRps, Math.max(minRps, policy.initialRps)),
    retryBaseDelayMs: Math.min(policy.retryBaseDelayMs, policy.retryMaxDelayMs),
    statsBucketMs: Math.min(statsWindowMs, Math.max(leastBucketMs, policy.statsBucketMs)),
    costBurst: Math.max(leastBurst, policy.costBurst),
  }
}

/** The fields an override names that would have to give way to others, and to which. */
export function conflictsOf(
  base: DomainPolicy,
  override: PolicyOverride,
): readonly PolicyProblem[] {
  const fitted = fitPolicy({ ...base, ...override })
  return policyFields.flatMap((field) => {
    const found = override[field]
    const fitting = fitted[field]
    if (found === undefined || found === null || fitting === null || found === fitting) return []
    const bound = found > fitting ? 'at most' : 'at least'
    return [{ field, found, expected: `${bound} ${fitting}, to fit ${partnersOf(field, fitted)}` }]
  })
}

function partnersOf(field: PolicyField, policy: DomainPolicy): string {
  const partners: Partial<Record<PolicyField, readonly PolicyField[]>> = {
    minRps: ['maxRps'],
    initialRps: ['minRps', 'maxRps'],
    retryBaseDelayMs: ['retryMaxDelayMs'],
    statsBucketMs: ['statsWindowMs'],
    costBurst: ['costPerSecond'],
  }
  return (partners[field] ?? []).map((partner) => `${partner} ${policy[partner]}`).join(' and ')
}

function fits(field: PolicyField, found: unknown): boolean {
  if (field === 'strategy') return typeof found === 'string' && Object.hasOwn(strategies, found)
  const { from, above, to, below, isWhole, orNull } = numbers[field]
  if (found === null) return orNull === true
  return (
    typeof found === 'number' &&
    Number.isFinite(found) &&
    found >= (from ?? -Infinity) &&
    found > (above ?? -Infinity) &&
    found <= (to ?? Infinity) &&
    found < (below ?? Infinity) &&
    (isWhole !== true || Number.isInteger(found))
  )
}

function isPolicyField(name: string): name is PolicyField {
  return name === 'strategy' || Object.hasOwn(numbers, name)
}

const TYPING_ERRORS = 4

function nearField(name: string): string {
  const near = policyFields
    .map((field) => ({ field, away: distance(field.toLowerCase(), name.toLowerCase()) }))
    .filter(({ away }) => away <= TYPING_ERRORS)
    .sort((a, b) => a.away - b.away)[0]
  return near === undefined ? `one of ${policyFields.join(', ')}` : near.field
}
