import { sql } from 'kysely'
import { matchHashText } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'
import type { RecomputedHash } from './due-subjects.ts'
import { sha256 } from './sha256.ts'

const PAGE_SIZE = 1000

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
  onPage: () => void = () => undefined,
): Promise<RefreshedSubjects> {
  let created = 0
  let changed = 0
  let afterEntryId = 0
  for (;;) {
    const page = await outdatedEntries(db, project, afterEntryId)
    const last = page.at(-1)
    if (last === undefined) return { created, changed }
    afterEntryId = last.entryId
    const rows = page.map((entry) => ({
      ...entry,
      matchHash: sha256(matchHashText(entry.source, project.settings)),
    }))
    await sql`
      insert into subject (project_id, entry_id, match_hash, seen_source_hash, seen_revision)
      select ${project.id}::bigint, fresh.entry_id, fresh.match_hash, fresh.source_hash, ${project.revision}::integer
      from unnest(
        ${rows.map((row) => row.entryId)}::bigint[],
        ${rows.map((row) => row.matchHash)}::bytea[],
        ${rows.map((row) => row.sourceHash)}::bytea[]
      ) as fresh (entry_id, match_hash, source_hash)
      on conflict (project_id, entry_id) do update
      set match_hash = excluded.match_hash, seen_source_hash = excluded.seen_source_hash,
        seen_revision = excluded.seen_revision`.execute(db)
    created += rows.filter((row) => row.oldMatchHash === null).length
    changed += rows.filter(
      (row) => row.oldMatchHash !== null && !row.oldMatchHash.equals(row.matchHash),
    ).length
    onPage()
  }
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
  let afterEntryId = 0
  for (;;) {
    const page = await outdatedEntries(db, project, afterEntryId)
    const last = page.at(-1)
    if (last === undefined) return recomputed
    afterEntryId = last.entryId
    for (const { entryId, source, oldMatchHash } of page) {
      if (oldMatchHash === null) continue
      const matchHash = sha256(matchHashText(source, project.settings))
      if (!oldMatchHash.equals(matchHash)) recomputed.push({ entryId, matchHash })
    }
  }
}

async function outdatedEntries(db: Db, project: RefreshedProject, afterEntryId: number) {
  return db
    .selectFrom('entry as e')
    .leftJoin('subject as s', (join) =>
      join
        .onRef('s.entry_id', '=', 'e.id')
        .on('s.project_id', '=', project.id)
        // Follows from the where below; without it a merge join reads all earlier pages again.
        .on('s.entry_id', '>', afterEntryId),
    )
    .where('e.dataset_id', '=', project.datasetId)
    .where('e.absent_since', 'is', null)
    .where('e.id', '>', afterEntryId)
    .where((eb) =>
      eb.or([
        eb('s.id', 'is', null),
        eb('s.seen_source_hash', '<>', eb.ref('e.source_hash')),
        eb('s.seen_revision', '<>', project.revision),
      ]),
    )
    .select([
      'e.id as entryId',
      'e.source',
      'e.source_hash as sourceHash',
      's.match_hash as oldMatchHash',
    ])
    .orderBy('e.id')
    .limit(PAGE_SIZE)
    .execute()
}
