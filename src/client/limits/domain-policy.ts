import { defaultPolicy, type DomainPolicy } from '../../core/limiter/policy.ts'
import { checkOverride } from '../../core/limiter/policy-bounds.ts'
import { mergePolicy, SET_BY_COMMAND, type PolicyLayer } from '../../core/limiter/policy-layers.ts'
import { fileLayers, type LimitsFile } from './limits-file.ts'

/** What is stored of a domain by command; null: nothing. */
export type StoredPolicy = Readonly<Record<string, unknown>> | null

/** Everything an operator said of a domain: the file, then the commands. */
export function policyLayers(
  file: LimitsFile,
  domain: string,
  stored: StoredPolicy,
): readonly PolicyLayer[] {
  // What this version does not understand of it, the limiter leaves out too and the worker logs.
  const { good } = checkOverride(stored ?? {})
  return [...fileLayers(file, domain), { source: SET_BY_COMMAND, override: good }]
}

/** The policy a domain's limiter should have now. */
export function domainPolicy(file: LimitsFile, domain: string, stored: StoredPolicy): DomainPolicy {
  return mergePolicy(defaultPolicy(domain), policyLayers(file, domain, stored))
}
