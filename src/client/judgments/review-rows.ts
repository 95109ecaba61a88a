import { type Cells, trimBlank } from '../../core/matching/mapped-record.ts'
import type { Db } from '../../db/connect.ts'
import type { IncomingJudgment } from '../../db/judgments.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { type ReviewedSubject, reviewedSubjects } from '../../db/review.repo.ts'
import { findService, type ServiceFacts } from '../../db/services.repo.ts'
import type { ReviewColumns } from '../review/review-columns.ts'
import { readDecision } from '../review/review-decision.ts'
import { readReviewKey, type ReviewKey, reviewKey } from '../review/review-key.ts'
import type { ReadRows, RowFault } from './row-reader.ts'

const CHANGED =
  'the record or its mapping changed since this file was written; export it again and look anew'
const OTHER_CANDIDATES =
  'the candidates changed since this file was written; give the item id, or export it again and look anew'

const CHANGES = new Set([CHANGED, OTHER_CANDIDATES])

/** Reads the rows of a review file as `export --format review-csv` writes it. */
export async function reviewRows(
  db: Db,
  project: Project,
  columns: ReviewColumns,
  by: string,
): Promise<ReadRows> {
  const { service } = project.settings
  const facts = await findService(db, service)
  return async (records) => {
    const decided = records.filter(({ cells }) => cellOf(cells, columns.decision) !== '')
    const keys = new Map(
      decided.map(({ line, cells }) => [line, readReviewKey(cellOf(cells, columns.key))]),
    )
    const ids = [...keys.values()].flatMap((key) => (key === undefined ? [] : [key.subjectId]))
    const subjects = await reviewedSubjects(db, project.id, [...new Set(ids)])
    const subjectOf = new Map(subjects.map((subject) => [subject.subjectId, subject]))
    const judgments: IncomingJudgment[] = []
    const faults: RowFault[] = []
    for (const { line, cells } of decided) {
      const key = keys.get(line)
      const subject = key && subjectOf.get(key.subjectId)
      const read =
        key === undefined
          ? keyFault(cellOf(cells, columns.key), columns.key)
          : subject === undefined
            ? `it is of another project, or its record is gone: project ${project.id} has no record ${columns.key} ${key.subjectId}`
            : judgmentOf(
                { key, subject, decision: cellOf(cells, columns.decision) },
                { service, facts },
              )
      if (typeof read === 'string') faults.push({ line, reason: read })
      else {
        const note = cellOf(cells, columns.note) || null
        judgments.push({ ...read, line, by, note, at: null })
      }
    }
    const changed = faults.filter(({ reason }) => CHANGES.has(reason)).length
    return { judgments, faults, undecided: records.length - decided.length, changed }
  }
}

interface ReviewedRow {
  readonly key: ReviewKey
  readonly subject: ReviewedSubject
  readonly decision: string
}

/** @returns the reason where there can be none */
function judgmentOf(
  { key, subject, decision }: ReviewedRow,
  of: { readonly service: string; readonly facts: ServiceFacts | null },
): Pick<IncomingJudgment, 'externalId' | 'verdict' | 'qid' | 'matchHash'> | string {
  const now = reviewKey(subject)
  if (now.cellsDigest !== key.cellsDigest) return CHANGED
  const read = readDecision(decision, { ...of, candidateIds: subject.candidateIds })
  if (read.kind === 'fault') return read.reason
  if (read.kind === 'undecided') return 'decision is blank'
  if (read.aboutCandidates && now.candidatesDigest !== key.candidatesDigest) return OTHER_CANDIDATES
  const { verdict, qid } = read
  return { externalId: subject.externalId, verdict, qid, matchHash: subject.matchHash }
}

function keyFault(key: string, column: string): string {
  return key === ''
    ? `${column} is blank, so nobody knows which record it is`
    : `${column} is not as it was written, so nobody knows which record it is`
}

function cellOf(cells: Cells, column: string): string {
  return Object.hasOwn(cells, column) ? trimBlank(cells[column] ?? '') : ''
}
