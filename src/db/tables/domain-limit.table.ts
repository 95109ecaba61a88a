import type { ColumnType, Generated } from 'kysely'
import type { LimiterSnapshot } from '../../core/limiter/protocol.ts'

type NullableJson<T> = ColumnType<T | null, string | undefined, string>

export interface DomainLimitTable {
  domain: string
  /** Set by an operator; null: the shipped policy. */
  policy: NullableJson<object>
  /** What the limiter has learned. */
  state: NullableJson<object>
  snapshot: NullableJson<LimiterSnapshot>
  updated_at: Generated<Date>
}
