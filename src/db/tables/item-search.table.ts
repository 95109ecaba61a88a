import type { Generated } from 'kysely'

/** A search by name that somebody waits for. */
export interface ItemSearchTable {
  id: Generated<number>
  project_id: number
  text: string
  asked_at: Generated<Date>
}
