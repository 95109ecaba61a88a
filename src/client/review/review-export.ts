import type { ScoredCandidate } from '../../core/matching/decision.ts'
import type { ReviewResult } from '../../db/review.repo.ts'
import type { ServiceFacts } from '../../db/services.repo.ts'
import type { AddedColumns } from '../export/added-columns.ts'
import { reasonText } from '../export/match-fields.ts'
import { candidateReason } from './candidate-reason.ts'
import { itemUrl } from './item-url.ts'
import { reviewColumnNames, reviewColumns } from './review-columns.ts'
import { reviewKey, reviewKeyText } from './review-key.ts'

/**
 * Columns for a person who judges records in a spreadsheet: how it stands, the best three candidates, an empty
 * column for the decision, and a key by which `judgments import` finds the record again.
 * @param service null: nobody knows the pages of its items yet
 */
export function reviewExport(
  prefix: string,
  service: ServiceFacts | null,
): AddedColumns<ReviewResult> {
  const columns = reviewColumns(prefix)
  return {
    names: reviewColumnNames(columns),
    values(result) {
      const { subjectId, matchHash, candidates } = result
      const candidateIds = candidates.map(({ id }) => id)
      const key =
        subjectId === null || matchHash === null
          ? null
          : reviewKeyText(reviewKey({ subjectId, matchHash, candidateIds }))
      const shown = columns.candidates.flatMap((names, index) => {
        const candidate = candidates[index]
        return candidate === undefined ? names.map(() => null) : candidateCells(candidate, service)
      })
      return [result.status, reasonText(result), ...shown, null, null, key]
    },
  }
}

/** In the order of `ReviewColumns.candidates`. */
function candidateCells(
  candidate: ScoredCandidate,
  service: ServiceFacts | null,
): readonly (string | number | null)[] {
  const { id, label, description, score } = candidate
  return [id, label, description, itemUrl(id, service), score, candidateReason(candidate)]
}
