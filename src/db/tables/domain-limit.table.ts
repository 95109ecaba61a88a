import type { ColumnType } from 'kysely'
import type { DomainSnapshot } from '../../core/limiter/protocol.ts'

type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export interface DomainLimitTable {
  domain: string
  /** What an operator set by command, field by field; null: nothing. */
  policy: NullableJson<Readonly<Record<string, unknown>>>
  /** What the limiter has learned. */
  state: NullableJson<object>
  snapshot: NullableJson<DomainSnapshot>
  /** When the snapshot was taken; null without one. */
  seen_at: ColumnType<Date | null, Date | undefined, Date | null>
  /** Why an operator paused the domain; null: it is not. */
  paused_because: string | null
}
