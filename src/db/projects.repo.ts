import { sql } from 'kysely'
import type { ProjectSettings } from '../core/project-settings.ts'
import type { Db } from './connect.ts'

/** One thing to match in a dataset, as everybody outside src/db sees it. */
export interface Project {
  readonly id: number
  readonly name: string
  /** What it is, for people. */
  readonly about: string | null
  readonly datasetId: number
  readonly datasetName: string
  /** Revision of `settings`, from 1. */
  readonly revision: number
  readonly settings: ProjectSettings
  /** Only records that this project left with one of these results are matched; null: all. */
  readonly after: ProjectChain | null
  readonly createdAt: Date
}

export interface ProjectChain {
  readonly projectId: number
  /** Values of `match_status`. */
  readonly outcomes: readonly string[]
}

export interface NewProject {
  /** undefined: the next free one, from 124. */
  readonly id?: number | undefined
  readonly name: string
  readonly about?: string | undefined
  readonly datasetId: number
  readonly settings: ProjectSettings
  readonly after?: ProjectChain | undefined
}

/**
 * Creates a project with revision 1 of its settings.
 * @returns its id; undefined when the wanted id is taken: then nothing was written.
 */
export async function createProject(db: Db, project: NewProject): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('project')
      .values({
        ...(project.id === undefined ? {} : { id: project.id }),
        name: project.name,
        about: project.about ?? null,
        dataset_id: project.datasetId,
        ...(project.after === undefined
          ? {}
          : {
              after_project_id: project.after.projectId,
              after_outcomes: JSON.stringify(project.after.outcomes),
            }),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (project.id !== undefined) await skipId(tx)
    await tx
      .insertInto('project_setting')
      .values({ project_id: row.id, revision: 1, settings: JSON.stringify(project.settings) })
      .execute()
    return row.id
  })
}

export async function findProject(db: Db, id: number): Promise<Project | undefined> {
  const [project] = await readProjects(db, id)
  return project
}

/** All projects by id. */
export async function listProjects(db: Db): Promise<readonly Project[]> {
  return readProjects(db, null)
}

/** The settings a project had or has under a revision; undefined when either is unknown. */
export async function settingsOfRevision(
  db: Db,
  projectId: number,
  revision: number,
): Promise<ProjectSettings | undefined> {
  const row = await db
    .selectFrom('project_setting')
    .where('project_id', '=', projectId)
    .where('revision', '=', revision)
    .select('settings')
    .executeTakeFirst()
  return row?.settings
}

export interface SettingsRevision {
  readonly revision: number
  readonly settings: ProjectSettings
  readonly madeAt: Date
}

/** The last revisions of a project's settings, the newest first. */
export async function listRevisions(
  db: Db,
  projectId: number,
  limit: number,
): Promise<readonly SettingsRevision[]> {
  return db
    .selectFrom('project_setting')
    .where('project_id', '=', projectId)
    .select(['revision', 'settings', 'created_at as madeAt'])
    .orderBy('revision', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Writes a new revision when the settings differ from the current ones.
 * @returns the revision that holds now, and whether it is new; undefined: no such project
 */
export async function reviseSettings(
  db: Db,
  projectId: number,
  settings: ProjectSettings,
): Promise<{ readonly revision: number; readonly isNew: boolean } | undefined> {
  const text = JSON.stringify(settings)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ revision: number; same: boolean }>`
      select p.revision, s.settings = ${text}::jsonb as same
      from project p join project_setting s on s.project_id = p.id and s.revision = p.revision
      where p.id = ${projectId} for update of p`.execute(tx)
    const [current] = rows
    if (current === undefined) return undefined
    if (current.same) return { revision: current.revision, isNew: false }
    const revision = current.revision + 1
    await tx.updateTable('project').set({ revision }).where('id', '=', projectId).execute()
    await tx
      .insertInto('project_setting')
      .values({ project_id: projectId, revision, settings: text })
      .execute()
    return { revision, isNew: true }
  })
}

/** Changes what people call a project; neither makes anything due. */
export async function renameProject(
  db: Db,
  projectId: number,
  names: { readonly name?: string | undefined; readonly about?: string | undefined },
): Promise<void> {
  const changes = {
    ...(names.name === undefined ? {} : { name: names.name }),
    ...(names.about === undefined ? {} : { about: names.about }),
  }
  if (Object.keys(changes).length === 0) return
  await db.updateTable('project').set(changes).where('id', '=', projectId).execute()
}

/**
 * Deletes a project with its runs, decisions and judgments; its dataset stays, and stored answers do until
 * `forgetUnusedAnswers`.
 * @returns `run_open` when it was left alone because a run is open
 */
export async function deleteProject(
  db: Db,
  projectId: number,
): Promise<'deleted' | 'run_open' | 'unknown'> {
  return db.transaction().execute(async (tx) => {
    // openRun takes the same lock, so no run can open in between.
    const project = await tx
      .selectFrom('project')
      .where('id', '=', projectId)
      .select('id')
      .forUpdate()
      .executeTakeFirst()
    if (project === undefined) return 'unknown'
    const open = await tx
      .selectFrom('run')
      .where('project_id', '=', projectId)
      .where('status', '=', 'open')
      .select('id')
      .executeTakeFirst()
    if (open !== undefined) return 'run_open'
    await tx.deleteFrom('project').where('id', '=', projectId).execute()
    // Its records were subtracted one statement ago: nothing is left of them.
    await sql`select sum_up_tally(${projectId}::bigint)`.execute(tx)
    return 'deleted'
  })
}

/** The next generated id must not meet one that was chosen by hand. */
async function skipId(tx: Db): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence('project', 'id'), greatest(max(id), 123)) from project`.execute(
    tx,
  )
}

async function readProjects(db: Db, id: number | null): Promise<Project[]> {
  const rows = await db
    .selectFrom('project as p')
    .innerJoin('dataset as d', 'd.id', 'p.dataset_id')
    .innerJoin('project_setting as s', (join) =>
      join.onRef('s.project_id', '=', 'p.id').onRef('s.revision', '=', 'p.revision'),
    )
    .$if(id !== null, (query) => query.where('p.id', '=', id ?? 0))
    .selectAll('p')
    .select(['d.name as dataset_name', 's.settings'])
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    about: row.about,
    datasetId: row.dataset_id,
    datasetName: row.dataset_name,
    revision: row.revision,
    settings: row.settings,
    after:
      row.after_project_id === null
        ? null
        : { projectId: row.after_project_id, outcomes: row.after_outcomes ?? [] },
    createdAt: row.created_at,
  }))
}
