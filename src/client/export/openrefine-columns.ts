import { mapRecord } from '../../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { EntryResult } from '../../db/results.repo.ts'
import type { AddedColumns } from './added-columns.ts'

/** OpenRefine's words for how a cell stands. */
type OpenRefineJudgment = 'matched' | 'new' | 'none'

/** Columns from which OpenRefine makes reconciled cells (`openrefine-operations.ts`). */
export function openRefineColumns(prefix: string, settings: ProjectSettings): AddedColumns {
  const names = ['name', 'qid', 'label', 'description', 'judgment', 'score']
  return {
    names: names.map((name) => `${prefix}${name}`),
    values: (result) => [
      mapRecord(result.source, settings).names[0] ?? null,
      result.qid,
      result.label,
      result.description,
      judgmentOf(result),
      result.score,
    ],
  }
}

function judgmentOf({ status, qid }: EntryResult): OpenRefineJudgment {
  if (status === 'not_in_wikidata') return 'new'
  return qid === null ? 'none' : 'matched'
}
