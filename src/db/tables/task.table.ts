import type { Generated } from 'kysely'

export interface TaskTable {
  run_id: number
  number: number
  /** 0 for the first plan; later rounds take up what was left over. */
  round: number
  kind: 'ask' | 'score'
  status: Generated<'open' | 'done' | 'failed'>
  /** Last of the records being decided at this moment; set after a lost attempt (`task-marker.repo.ts`). */
  marked_subject_id: number | null
}
