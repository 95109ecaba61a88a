import { sql } from 'kysely'
import { type Cells, matchHashText } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import type { RecomputedHash } from './due-subjects.ts'
import { type PlanPages, planPages } from './plan-page.ts'
import { sha256 } from './sha256.ts'
import { tellPlanner } from './table-statistics.ts'

export interface RefreshedSubjects {
  /** Entries that had no subject yet. */
  readonly created: number
  /** Subjects whose mapped cells differ from what was seen before. */
  readonly changed: number
}

export interface RefreshedProject {
  readonly id: number
  readonly datasetId: number
  readonly revision: number
  readonly settings: ProjectSettings
}

/**
 * Gives every present entry of the project's dataset a subject, and brings `match_hash` up to date where a cell or
 * the mapping changed. Statuses, decisions and judgments stay; what is due again is found by the plan.
 * Keyset pages; safe to repeat and to run twice at once.
 */
export async function refreshSubjects(
  db: Db,
  project: RefreshedProject,
  pages: PlanPages = planPages(),
): Promise<RefreshedSubjects> {
  let created = 0
  let changed = 0
  for await (const page of outdatedEntries(db, project, pages.rows)) {
    const rows = page.map((entry) => ({
      ...entry,
      matchHash: sha256(matchHashText(entry.source, project.settings)),
    }))
    if (rows.length > 0) await writeHashes(db, project, rows)
    created += rows.filter((row) => row.oldMatchHash === null).length
    changed += rows.filter(
      (row) => row.oldMatchHash !== null && !row.oldMatchHash.equals(row.matchHash),
    ).length
    pages.onPage()
  }
  await tellPlanner(db, created + changed, ['subject'])
  return { created, changed }
}

async function writeHashes(
  db: Db,
  { id, revision }: RefreshedProject,
  rows: readonly (RecomputedHash & { readonly sourceHash: Buffer })[],
): Promise<void> {
  await sql`
    insert into subject (project_id, entry_id, match_hash, seen_source_hash, seen_revision)
    select ${id}::bigint, fresh.entry_id, fresh.match_hash, fresh.source_hash, ${revision}::integer
    from unnest(
      ${rows.map((row) => row.entryId)}::bigint[],
      ${rows.map((row) => row.matchHash)}::bytea[],
      ${rows.map((row) => row.sourceHash)}::bytea[]
    ) as fresh (entry_id, match_hash, source_hash)
    on conflict (project_id, entry_id) do update
    set match_hash = excluded.match_hash, seen_source_hash = excluded.seen_source_hash,
      seen_revision = excluded.seen_revision`.execute(db)
}

/**
 * What `refreshSubjects` would change of the match hashes of records that have a subject; changes nothing.
 * New records have none yet and are left out.
 */
export async function recomputeHashes(
  db: Db,
  project: RefreshedProject,
): Promise<readonly RecomputedHash[]> {
  const recomputed: RecomputedHash[] = []
  for await (const page of outdatedEntries(db, project, planPages().rows)) {
    for (const { entryId, source, oldMatchHash } of page) {
      if (oldMatchHash === null) continue
      const matchHash = sha256(matchHashText(source, project.settings))
      if (!oldMatchHash.equals(matchHash)) recomputed.push({ entryId, matchHash })
    }
  }
  return recomputed
}

interface OutdatedEntry {
  readonly entryId: number
  readonly source: Cells
  readonly sourceHash: Buffer
  /** Null without a subject. */
  readonly oldMatchHash: Buffer | null
}

/**
 * Pages of entries without a subject, or with one that has not seen their cells or these settings. Each page is a range
 * of ids, and every table is read by that range: whatever the planner believes of tables that were filled a moment
 * ago, it reads nothing else.
 */
async function* outdatedEntries(
  db: Db,
  { id, datasetId, revision }: RefreshedProject,
  pageRows: number,
): AsyncGenerator<readonly OutdatedEntry[]> {
  for (let after = 0; ;) {
    const last = await lastOfPage(db, datasetId, after, pageRows)
    if (last === null) return
    const { rows } = await sql<OutdatedEntry>`
      select e.id as "entryId", e.source, e.source_hash as "sourceHash", s.match_hash as "oldMatchHash"
      from entry e
      left join subject s on s.project_id = ${id}::bigint and s.entry_id = e.id
        and s.entry_id > ${after}::bigint and s.entry_id <= ${last}::bigint
      where e.dataset_id = ${datasetId}::bigint and e.id > ${after}::bigint and e.id <= ${last}::bigint
        and e.absent_since is null
        and (s.id is null or s.seen_source_hash <> e.source_hash or s.seen_revision <> ${revision}::integer)
      order by e.id`.execute(db)
    yield rows
    after = last
  }
}

/** Null when there are no more. */
async function lastOfPage(
  db: Db,
  datasetId: number,
  after: number,
  pageRows: number,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from (
      select id from entry where dataset_id = ${datasetId}::bigint and id > ${after}::bigint
      order by id limit ${pageRows}::integer) as page`.execute(db)
  return rows[0]?.last ?? null
}
