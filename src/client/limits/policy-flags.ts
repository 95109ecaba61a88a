/** The policy's fields as options of `limits set`. */
import { Option, type Command } from 'commander'
import { expectedOf, policyFields, type PolicyField } from '../../core/limiter/policy-bounds.ts'

/** As typed; read by `policyChangeOf`. */
export type PolicyFlags = Readonly<Partial<Record<PolicyField, string>>>

/** What each field is for; those a person is likely to want come first in the help. */
const mainTexts: Readonly<Partial<Record<PolicyField, string>>> = {
  maxRps: 'requests per second at most',
  minRps: 'requests per second at least, while anything is sent',
  initialRps: 'requests per second to begin with',
  strategy: 'how the rate is found',
  maxInFlight: 'requests on their way at once',
  minSpacingMs: 'least time between two requests (a crawl delay)',
  retryAfterCapMs:
    'longest wait of a server that is obeyed whole; above it one request is sent after this',
}

const furtherTexts: Readonly<Partial<Record<PolicyField, string>>> = {
  tokenBucketCapacity: 'permits granted at once',
  aimdIncrease: 'aimd: requests per second gained each second',
  aimdDecrease: 'aimd: part of the rate left after a refusal',
  latencyTargetMs: 'what a good answer may take before any was seen',
  latencyDegradeFactor: 'how much slower than usual is trouble',
  errorRateThreshold: 'part of failed requests that opens the breaker',
  minSamplesToTrip: 'results before the error rate means anything',
  consecutiveFailThreshold: 'failures in a row that open the breaker',
  openStateDurationMs: 'how long the breaker stays open at first',
  halfOpenProbes: 'probes that must succeed to close it',
  retryBaseDelayMs: 'wait after a refusal that names none',
  retryMaxDelayMs: 'longest such wait',
  statsWindowMs: 'over what the error rate is taken',
  statsBucketMs: 'in steps of',
  domainStateTtlMs: 'the limiter ends after so long without a request',
  slotMs: 'what one lease covers',
  costPerSecond: 'units given back per second, where not requests are metered',
  costBurst: 'units that can be saved up',
}

/** Adds one option per field; values are checked together, later. */
export function addPolicyFlags(command: Command): Command {
  addGroup(command, 'Policy:', mainTexts)
  return addGroup(command, 'Policy, rarely needed:', furtherTexts)
}

/** `--max-rps` */
export function flagName(field: PolicyField): string {
  return `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function addGroup(
  command: Command,
  heading: string,
  texts: Readonly<Partial<Record<PolicyField, string>>>,
): Command {
  for (const field of policyFields) {
    const text = texts[field]
    if (text === undefined) continue
    const option = new Option(`${flagsOf(field)} <${placeholderOf(field)}>`, describe(field, text))
    command.addOption(option.helpGroup(heading))
  }
  return command
}

function flagsOf(field: PolicyField): string {
  const name = flagName(field)
  return field === 'retryAfterCapMs' ? `--retry-after-cap, ${name}` : name
}

function placeholderOf(field: PolicyField): string {
  if (field === 'strategy') return 'name'
  return field.endsWith('Ms') ? 'ms' : 'n'
}

function describe(field: PolicyField, text: string): string {
  return field === 'strategy' ? `${text}: ${expectedOf(field)}` : text
}
