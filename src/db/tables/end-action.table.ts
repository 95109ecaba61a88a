import type { Generated } from 'kysely'
import type { EndActionState } from '../../core/end-action.ts'

/** A command line or an address may hold a secret: only its id leaves this table. */
export interface EndActionTable {
  id: Generated<number>
  project_id: number
  command: string | null
  folder: string | null
  webhook: string | null
  created_at: Generated<Date>
}

export interface RunEndActionTable {
  run_id: number
  kind: EndActionState['kind']
  status: EndActionState['status']
  attempts: Generated<number>
  code: string | null
  message: string | null
  updated_at: Generated<Date>
}
