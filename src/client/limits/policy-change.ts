import type { PolicyChange } from '../../db/domain-limits.repo.ts'
import { defaultPolicy } from '../../core/limiter/policy.ts'
import {
  checkOverride,
  conflictsOf,
  policyFields,
  problemText,
  type PolicyField,
} from '../../core/limiter/policy-bounds.ts'
import { mergePolicy, type PolicyLayer } from '../../core/limiter/policy-layers.ts'
import { UsageError } from '../../errors.ts'
import type { StoredPolicy } from './domain-policy.ts'
import { flagName, type PolicyFlags } from './policy-flags.ts'

export interface WantedChange {
  readonly domain: string
  readonly flags: PolicyFlags & { readonly resetToDefault?: true }
  /** What the file says of the domain. */
  readonly below: readonly PolicyLayer[]
  /** What commands set before. */
  readonly stored: StoredPolicy
}

/**
 * What `limits set` asks for: a value, `none` where a field can be switched off, or `default` to forget the value
 * that was set.
 * @throws UsageError `bad_policy` that lists every violation, also against values set before.
 */
export function policyChangeOf({ domain, flags, below, stored }: WantedChange): PolicyChange {
  const fromScratch = flags.resetToDefault === true
  const typed = policyFields.flatMap((field): [PolicyField, string][] => {
    const text = flags[field]
    return text === undefined ? [] : [[field, text.trim()]]
  })
  if (typed.length === 0 && !fromScratch) throw nothingToSet(domain)
  const unset = typed.flatMap(([field, text]) => (text === 'default' ? [field] : []))
  const values = typed.filter(([, text]) => text !== 'default')
  const { good, problems } = checkOverride(
    Object.fromEntries(values.map(([field, text]) => [field, valueOf(field, text)])),
  )
  const before = fromScratch ? {} : checkOverride(stored ?? {}).good
  const kept = Object.entries(before).filter(([field]) => !unset.some((name) => name === field))
  const all = { ...Object.fromEntries(kept), ...good }
  const conflicts = conflictsOf(mergePolicy(defaultPolicy(domain), below), all)
  const found = [...problems, ...conflicts]
  if (found.length === 0) return { fromScratch, set: good, unset }
  throw new UsageError({
    code: 'bad_policy',
    message: found
      .map((problem) => problemText({ ...problem, field: nameOf(problem.field) }))
      .join('; '),
    hint: `Nothing was changed. What holds now: ./record-linker limits ${domain}`,
  })
}

const NUMBER = /^[+-]?\d*\.?\d+(e[+-]?\d+)?$/i

function valueOf(field: PolicyField, text: string): unknown {
  if (field === 'strategy') return text
  if (text === 'none') return null
  return NUMBER.test(text) ? Number(text) : text
}

function nameOf(field: string): string {
  const known = policyFields.find((name) => name === field)
  return known === undefined ? field : flagName(known)
}

function nothingToSet(domain: string): UsageError {
  return new UsageError({
    code: 'nothing_to_set',
    message: 'It is not said what to set.',
    hint: `For example: ./record-linker limits set ${domain} --max-rps 2; all options: ./record-linker limits set --help`,
  })
}
