import type { ColumnType, Generated, Selectable } from 'kysely'

export type Verdict = 'match' | 'none_fits' | 'not_in_wikidata' | 'not_applicable'

/** Append-only: an undo is a row that names the row it takes back. */
export interface JudgmentTable {
  id: Generated<number>
  subject_id: number
  verdict: Verdict | 'undo'
  external_id: string | null
  judged_by: string
  judged_at: Generated<Date>
  /** match_hash of the subject when it was judged. */
  match_hash: Buffer
  note: string | null
  undoes: number | null
  /** What was judged; null: there was no decision then. */
  decision_id: ColumnType<number | null, number | null | undefined, number | null>
  /** What a person did at once; null: it came from a file. */
  act_id: ColumnType<number | null, number | null | undefined, number | null>
}
export type JudgmentRow = Selectable<JudgmentTable>
