import { compareCandidates, prepareRecord } from '../../core/matching/compare-candidate.ts'
import {
  type FitResult,
  fitWeights,
  type LabelledRecord,
} from '../../core/matching/fit/fit-weights.ts'
import { ordersOf } from '../../core/matching/fit/level-orders.ts'
import { mapRecord } from '../../core/matching/mapped-record.ts'
import { mergeCandidates } from '../../core/matching/merge-candidates.ts'
import { weightsOf } from '../../core/matching/weights.ts'
import type { Db } from '../../db/connect.ts'
import { type AnsweredEntry, readAnsweredEntries } from '../../db/answered-entries.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { counted } from '../../core/counted.ts'

/** Fewer would teach chance. */
const LEAST_RECORDS = 50

/** What a project's answered records and their right answers teach. */
export interface ProjectFit extends FitResult {
  /** Labelled records with an answer. */
  readonly records: number
}

/**
 * Estimates weights from stored answers; nobody is asked anything. The shipped weights are the prior.
 * @param gold right answers by record id, null for "not there"
 * @throws UsageError `too_few_labelled`
 */
export async function fitProjectWeights(
  db: Db,
  project: Project,
  gold: ReadonlyMap<string, string | null>,
): Promise<ProjectFit> {
  const { kind } = project.settings
  const records: LabelledRecord[] = []
  await readAnsweredEntries(db, project, async (page) => {
    for (const entry of page) {
      const expected = gold.get(entry.externalId)
      if (expected !== undefined) records.push(labelled(entry, expected, project))
    }
  })
  if (records.length < LEAST_RECORDS) {
    throw new UsageError({
      code: 'too_few_labelled',
      message: `Only ${counted(records.length, 'record')} of project ${project.id} have an answer and a known truth; ${LEAST_RECORDS} are needed.`,
      hint: 'Match the project first, and label more records: columns id and qid, NIL where there is no item.',
    })
  }
  const fit = fitWeights(records, weightsOf(kind), { orders: ordersOf(kind) })
  return { ...fit, records: records.length }
}

function labelled(
  { cells, lists }: AnsweredEntry,
  expected: string | null,
  { settings }: Project,
): LabelledRecord {
  const seen = mergeCandidates(lists)
  const record = prepareRecord(mapRecord(cells, settings), settings.kind)
  const right = seen.findIndex(({ id }) => id === expected)
  return {
    candidates: compareCandidates(record, seen).map((levels) => levels.flatMap(({ keys }) => keys)),
    right: right < 0 ? null : right,
  }
}
