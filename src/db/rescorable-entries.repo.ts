import { sql } from 'kysely'
import { defaultRunOptions } from '../core/run.ts'
import type { SubjectAnswer } from '../core/matching/judge-subject.ts'
import { lookupKey, lookupsOf } from '../core/matching/lookups.ts'
import { type Cells, mapRecord } from '../core/matching/mapped-record.ts'
import type { RecordPast } from '../core/matching/record-past.ts'
import type { Conclusion } from '../core/matching/result-change.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import { dressAnswers } from './dressed-answers.ts'
import { subjectsWithDue } from './due-subjects.ts'
import { readCursor } from './read-cursor.ts'
import { recordPast } from './record-past.ts'
import { sha256 } from './sha256.ts'

/** A record that a rescore decides again, with all that is stored about it. */
export interface RescorableEntry extends StoredEntry {
  /** To the questions of now, in the order of its names. */
  readonly answers: readonly SubjectAnswer[]
}

interface StoredEntry {
  readonly externalId: string
  readonly cells: Cells
  readonly past: RecordPast
  /** What is to be decided again. */
  readonly decided: Conclusion
  /** What the item of that has been merged into; null: nothing that is known. */
  readonly mergedInto: string | null
}

export interface RescoredProject {
  readonly id: number
  readonly revision: number
  readonly settings: ProjectSettings
}

/**
 * What `rescore` would take up, in file order; changes nothing.
 * @param limits most: so many of them, default: all; rowsPerPage: default 1000
 */
export async function readRescorable(
  db: Db,
  { id, revision, settings }: RescoredProject,
  onPage: (page: readonly RescorableEntry[]) => Promise<void>,
  limits: { readonly most?: number; readonly rowsPerPage?: number } = {},
): Promise<void> {
  const options = { ...defaultRunOptions, rescore: true }
  const due = subjectsWithDue({ projectId: id, revision, runId: null, options })
  await readCursor(
    db,
    sql<StoredEntry>`
      select e.external_id as "externalId", e.source as cells, ${recordPast(revision)} as past,
        i.merged_into as "mergedInto", json_build_object('outcome', d.outcome,
          'qid', d.external_id, 'rule', d.rule, 'reason', d.reason) as decided
      from (${due}) as subjects
      join subject s on s.id = subjects.id
      join entry e on e.id = s.entry_id
      join decision d on d.id = s.decision_id
      left join item i on i.service = d.service and i.external_id = d.external_id
      where subjects.due is not null
      order by e.position, e.id
      limit ${limits.most ?? null}::integer`,
    async (page, tx) => onPage(await withAnswers(tx, settings, page)),
    limits.rowsPerPage,
  )
}

interface StoredAnswer extends Omit<SubjectAnswer, 'position'> {
  readonly key: string
}

async function withAnswers(
  db: Db,
  settings: ProjectSettings,
  entries: readonly StoredEntry[],
): Promise<readonly RescorableEntry[]> {
  const asked = entries.map(({ cells }) =>
    lookupsOf(mapRecord(cells, settings), settings).map((query) => sha256(lookupKey(query))),
  )
  const { rows } = await sql<StoredAnswer>`
    select encode(key_hash, 'hex') as key, status, answer as list, error_code as "errorCode",
      error_message as "errorMessage"
    from lookup
    where service = ${settings.service}::text and key_hash = any(${asked.flat()}::bytea[])
      and status = 'answered'`.execute(db)
  const answers = new Map(rows.map((row) => [row.key, row]))
  const answered = entries.map((entry, at) => ({
    ...entry,
    answers: (asked[at] ?? []).map((key, position) => ({
      ...(answers.get(key.toString('hex')) ?? notAsked),
      position,
    })),
  }))
  return dressAnswers(db, settings, answered)
}

const notAsked: Omit<SubjectAnswer, 'position'> = {
  status: 'missing',
  list: null,
  errorCode: null,
  errorMessage: null,
}
