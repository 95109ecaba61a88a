import { sql } from 'kysely'
import type { ScoredCandidate } from '../core/matching/decision.ts'
import type { EntityType } from '../core/matching/candidate.ts'
import type { Db } from './connect.ts'

export interface SeenItem {
  readonly id: string
  readonly label: ScoredCandidate['label']
  readonly description: ScoredCandidate['description']
  readonly types: readonly EntityType[]
}

/** Keeps the label and description of entities as last seen; what is held beyond that stays. */
export async function rememberItems(
  db: Db,
  service: string,
  items: readonly SeenItem[],
): Promise<void> {
  const distinct = [...new Map(items.map((item) => [item.id, item])).values()]
  if (distinct.length === 0) return
  distinct.sort((a, b) => (a.id < b.id ? -1 : 1))
  await sql`
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
      is distinct from (excluded.label, excluded.description, excluded.types)`.execute(db)
}
