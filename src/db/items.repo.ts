import { type RawBuilder, sql } from 'kysely'
import type { ScoredCandidate } from '../core/matching/decision.ts'
import type { EntityType } from '../core/matching/candidate.ts'

export interface SeenItem {
  readonly id: string
  readonly label: ScoredCandidate['label']
  readonly description: ScoredCandidate['description']
  readonly types: readonly EntityType[]
}

/**
 * The statement that keeps the label and description of entities as last seen; what is held beyond that stays. In the
 * order of their ids, so that two pages do not wait for each other.
 */
export function rememberingItems(service: string, items: readonly SeenItem[]): RawBuilder<unknown> {
  const distinct = [...new Map(items.map((item) => [item.id, item])).values()]
  distinct.sort((a, b) => (a.id < b.id ? -1 : 1))
  return sql`
    insert into item (service, external_id, label, description, types)
    select ${service}::text, seen.id, seen.label, seen.description, seen.types
    from unnest(
      ${distinct.map((item) => item.id)}::text[],
      ${distinct.map((item) => item.label)}::text[],
      ${distinct.map((item) => item.description)}::text[],
      ${distinct.map((item) => JSON.stringify(item.types))}::jsonb[]
    ) as seen (id, label, description, types)
    on conflict (service, external_id) do update
    set label = excluded.label, description = excluded.description, types = excluded.types, fetched_at = now()
    where (item.label, item.description, item.types)
      is distinct from (excluded.label, excluded.description, excluded.types)
    returning 1`
}
