/** Who says what of a domain's policy: shipped default < file < command; a later layer wins, field by field. */
import { defaultPolicy, type DomainPolicy } from './policy.ts'
import { fitPolicy, policyFields, type PolicyField, type PolicyOverride } from './policy-bounds.ts'

export interface PolicyLayer {
  /** For people: `limits.json, *.example.org`, `limits set`. */
  readonly source: string
  readonly override: PolicyOverride
}

/** Where a field comes from that no layer names. */
const SHIPPED = 'shipped'

/** Under which a `limits set` is shown. */
export const SET_BY_COMMAND = 'limits set'

/**
 * Applies layers to a policy in order. A value of an earlier layer that does not fit beside one of a later
 * layer gives way (`fitPolicy`), so the result is always whole and consistent.
 */
export function mergePolicy(base: DomainPolicy, layers: readonly PolicyLayer[]): DomainPolicy {
  return layers.reduce((policy, { override }) => fitPolicy({ ...policy, ...override }), base)
}

/** Field by field, the layer its value comes from; `, made to fit` where it had to give way to another. */
export function policySources(
  domain: string,
  layers: readonly PolicyLayer[],
): Readonly<Record<string, string>> {
  const shipped = defaultPolicy(domain)
  const merged = mergePolicy(shipped, layers)
  const sourceOf = (field: PolicyField): string => {
    const layer = layers.findLast(({ override }) => override[field] !== undefined)
    const wanted = layer === undefined ? shipped[field] : layer.override[field]
    return `${layer?.source ?? SHIPPED}${merged[field] === wanted ? '' : ', made to fit'}`
  }
  return Object.fromEntries(policyFields.map((field) => [field, sourceOf(field)]))
}
