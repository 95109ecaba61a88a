/** One query in the words of API 0.2 (research/reconciliation.md §1.3). Pure. */
import type { LookupQuery, PropertyValue } from '../../core/matching/lookup-query.ts'
import { cleanText } from '../clean-text.ts'

/** As the specification writes it; an absent field is left out, since `null` has crashed services. */
export interface EncodedQuery {
  readonly query: string
  readonly type?: string | readonly string[]
  readonly limit: number
  readonly properties?: readonly {
    readonly pid: string
    readonly v: PropertyValue | readonly PropertyValue[]
  }[]
}

/**
 * Everything is sent as it is, except NUL and halves of surrogate pairs, which import already rejects.
 * `type_strict` is left out: no two services agree on what it means.
 */
export function encodeQuery({ query, types, limit, properties }: LookupQuery): EncodedQuery {
  const [type] = types
  const encoded = encodeProperties(properties)
  return {
    query: cleanText(query),
    ...(type === undefined ? {} : { type: types.length === 1 ? type : types }),
    limit,
    ...(encoded.length === 0 ? {} : { properties: encoded }),
  }
}

/** One entry per pid: a repeated one counts twice in the divisor of some services, as a blank value does. */
function encodeProperties(
  properties: LookupQuery['properties'],
): NonNullable<EncodedQuery['properties']> {
  const byPid = new Map<string, PropertyValue[]>()
  for (const { pid, v } of properties) {
    const values = toList(v).flatMap((value) => {
      const text = cleanText(typeof value === 'string' ? value : value.id)
      if (text.trim() === '') return []
      return [typeof value === 'string' ? text : { id: text }]
    })
    if (values.length > 0) byPid.set(pid, [...(byPid.get(pid) ?? []), ...values])
  }
  return [...byPid].map(([pid, values]) => ({
    pid,
    v: values.length === 1 ? (values[0] ?? '') : values,
  }))
}

function toList(v: LookupQuery['properties'][number]['v']): readonly PropertyValue[] {
  return typeof v === 'string' || 'id' in v ? [v] : v
}
