/**
 * What a dumped project consists of, part by part, in the order in which it can be read back. The names of parts and
 * columns are those of the file: a later version that renames a column of a table reads the old name here.
 */
import { type RawBuilder, sql } from 'kysely'

/** A column that holds the number of a row of another part: numbers are given anew where the file is read. */
export type NumberOf =
  | 'dataset'
  | 'project'
  | 'run'
  | 'entry'
  | 'service_version'
  | 'lookup'
  | 'subject'
  | 'decision'
  | 'judgment_act'
  | 'judgment'
  | 'audit'

export interface DumpPart {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  /** Column → the part whose row it numbers. `id` of a part that others refer to is one of them. */
  readonly numbers: Readonly<Partial<Record<string, NumberOf>>>
  /** Columns of type json, which are a text in the file: they may have escapes that no other JSON can hold. */
  readonly asText?: readonly string[]
  /** Which rows; the table is `t`. */
  readonly rows: (projectId: number) => RawBuilder<unknown>
  /** Others may have the row already: then theirs stays, unless `replaces` says that this one is better. */
  readonly shared?: { readonly key: readonly string[]; readonly replaces?: string }
}

const ofProject = (id: number) => sql`t.project_id = ${id}::bigint`
const ofSubjects = (id: number) =>
  sql`t.subject_id in (select id from subject where project_id = ${id}::bigint)`
const itsDataset = (id: number) => sql`(select dataset_id from project where id = ${id}::bigint)`
/** Questions of its records, with the answers. */
const itsLookups = (id: number) => sql`(
  select sl.lookup_id from subject_lookup sl join subject s on s.id = sl.subject_id
  where s.project_id = ${id}::bigint)`
/** Items that its answers, decisions and judgments name. */
const itsItems = (id: number) => sql`(
  select l.service, c.item->>'id' from lookup l, jsonb_array_elements(l.answer->'candidates') as c (item)
    where l.id in ${itsLookups(id)} and l.status = 'answered'
  union
  select d.service, named.id from decision d join subject s on s.id = d.subject_id,
    lateral (values (d.external_id), (d.runner_up)) as named (id)
    where s.project_id = ${id}::bigint and named.id is not null
  union
  select p.settings->>'service', j.external_id from judgment j join subject s on s.id = j.subject_id
    join project_setting p on p.project_id = s.project_id
    where s.project_id = ${id}::bigint and j.external_id is not null)`
const ofItems = (id: number) => sql`(t.service, t.external_id) in ${itsItems(id)}`

const words = (text: string) => text.trim().split(/\s+/)

export const dumpParts: readonly DumpPart[] = [
  {
    name: 'dataset',
    table: 'dataset',
    columns: words('id name columns id_columns format mapping created_at imported_at'),
    numbers: { id: 'dataset' },
    rows: (id) => sql`t.id = ${itsDataset(id)}`,
  },
  {
    name: 'project',
    table: 'project',
    columns: words('id name about dataset_id revision task_window priority weight created_at'),
    numbers: { id: 'project', dataset_id: 'dataset' },
    rows: (id) => sql`t.id = ${id}::bigint`,
  },
  {
    name: 'settings',
    table: 'project_setting',
    columns: words('project_id revision settings created_at'),
    numbers: { project_id: 'project' },
    rows: ofProject,
  },
  {
    name: 'run',
    table: 'run',
    columns:
      words(`id project_id number workflow_id temporal_run_id status settings_revision options is_sample
      refresh_before plan error_code error_message started_at ended_at`),
    numbers: { id: 'run', project_id: 'project' },
    rows: ofProject,
  },
  {
    name: 'entry',
    table: 'entry',
    columns: words(
      'id dataset_id external_id position source raw source_hash absent_since imported_at',
    ),
    numbers: { id: 'entry', dataset_id: 'dataset' },
    rows: (id) => sql`t.dataset_id = ${itsDataset(id)}`,
  },
  {
    name: 'service_version',
    table: 'service_version',
    columns: words('id service about_hash about first_seen_at last_seen_at'),
    numbers: { id: 'service_version' },
    rows: (id) =>
      sql`t.id in (select service_version_id from lookup where id in ${itsLookups(id)})`,
    shared: { key: ['service', 'about_hash'] },
  },
  {
    name: 'answer',
    table: 'lookup',
    columns:
      words(`id service key_hash query status answer raw answered_at service_version_id language refreshed_at
      refresh_failed_at attempts error_kind error_code error_message`),
    numbers: { id: 'lookup', service_version_id: 'service_version' },
    asText: ['raw'],
    rows: (id) => sql`t.id in ${itsLookups(id)}`,
    shared: {
      key: ['service', 'key_hash'],
      replaces: `excluded.status = 'answered' and (lookup.status <> 'answered' or lookup.answered_at < excluded.answered_at)`,
    },
  },
  {
    name: 'item',
    table: 'item',
    columns:
      words(`service external_id label description types properties revision fetched_at state merged_into
      checked_at check_failed_at labels aliases descriptions held_languages held_pids facts_at`),
    numbers: {},
    rows: ofItems,
    shared: {
      key: ['service', 'external_id'],
      replaces: 'item.facts_at is null and excluded.facts_at is not null',
    },
  },
  {
    name: 'item_value',
    table: 'item_value',
    columns: words('service external_id property held fetched_at error_code error_message'),
    numbers: {},
    rows: ofItems,
    shared: { key: ['service', 'external_id', 'property'] },
  },
  {
    name: 'service',
    table: 'service',
    columns: words('name view_url identifier_space schema_space seen_at'),
    numbers: {},
    rows: (id) =>
      sql`t.name in (select settings->>'service' from project_setting where project_id = ${id}::bigint)`,
    shared: { key: ['name'] },
  },
  {
    name: 'subject',
    table: 'subject',
    columns:
      words(`id project_id entry_id status outcome match_hash asked_hash seen_source_hash seen_revision
      decided_hash decided_revision run_id error_code error_message item_changed_at updated_at`),
    numbers: { id: 'subject', project_id: 'project', entry_id: 'entry', run_id: 'run' },
    rows: ofProject,
  },
  {
    name: 'question',
    table: 'subject_lookup',
    columns: words('subject_id position lookup_id'),
    numbers: { subject_id: 'subject', lookup_id: 'lookup' },
    rows: ofSubjects,
  },
  {
    name: 'decision',
    table: 'decision',
    columns:
      words(`id subject_id run_id settings_revision weights_version match_hash outcome rule reason service
      external_id score margin runner_up evidence decided_at decided_by`),
    numbers: { id: 'decision', subject_id: 'subject', run_id: 'run' },
    rows: ofSubjects,
  },
  {
    name: 'act',
    table: 'judgment_act',
    columns: words('id project_id way rule acted_by acted_at undoes'),
    numbers: { id: 'judgment_act', project_id: 'project', undoes: 'judgment_act' },
    rows: ofProject,
  },
  {
    name: 'judgment',
    table: 'judgment',
    columns: words(
      'id subject_id verdict external_id judged_by judged_at match_hash note undoes decision_id act_id',
    ),
    numbers: {
      id: 'judgment',
      subject_id: 'subject',
      undoes: 'judgment',
      decision_id: 'decision',
      act_id: 'judgment_act',
    },
    rows: ofSubjects,
  },
  {
    name: 'left_for_later',
    table: 'review_skip',
    columns: words('subject_id skipped_by skipped_at'),
    numbers: { subject_id: 'subject' },
    rows: ofSubjects,
  },
  {
    name: 'audit',
    table: 'audit',
    columns: words('id project_id seed drawn_by drawn_at'),
    numbers: { id: 'audit', project_id: 'project' },
    rows: ofProject,
  },
  {
    name: 'audit_record',
    table: 'audit_record',
    columns: words('audit_id position subject_id external_id'),
    numbers: { audit_id: 'audit', subject_id: 'subject' },
    rows: (id) => sql`t.audit_id in (select id from audit where project_id = ${id}::bigint)`,
  },
  {
    name: 'gold_item',
    table: 'gold_item',
    columns: words('project_id external_id'),
    numbers: { project_id: 'project' },
    rows: ofProject,
  },
]
