import { randomInt } from 'node:crypto'
import { thresholdsByKind, type ProjectSettings } from '../../src/core/project-settings.ts'
import type { Db } from '../../src/db/connect.ts'
import { sha256 } from '../../src/db/sha256.ts'

export interface TestRecord {
  readonly id: string
  readonly [column: string]: string
}

export interface TestProject {
  readonly id: number
  readonly datasetId: number
  readonly settings: ProjectSettings
}

/**
 * A dataset and a project with these records. The project id is random: all tests share one Temporal server, and
 * workflow ids carry the project id.
 */
export async function createTestProject(
  db: Db,
  service: string,
  records: readonly TestRecord[],
  changes: Partial<ProjectSettings> = {},
): Promise<TestProject> {
  const id = randomInt(1_000_000, 1_000_000_000)
  const settings: ProjectSettings = {
    service,
    kind: 'generic',
    languages: ['en'],
    types: [],
    limit: 10,
    thresholds: thresholdsByKind.generic,
    mapping: { name: 'name', variants: [{ column: 'variants', separator: '|' }], properties: [] },
    ...changes,
  }
  const dataset = await db
    .insertInto('dataset')
    .values({
      name: `dataset of ${id}`,
      columns: JSON.stringify(Object.keys(records[0] ?? { id: '' })),
      id_columns: JSON.stringify(['id']),
      format: JSON.stringify({}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await putRecords(db, dataset.id, records)
  await db
    .insertInto('project')
    .values({ id, name: `project ${id}`, about: null, dataset_id: dataset.id })
    .execute()
  await db
    .insertInto('project_setting')
    .values({ project_id: id, revision: 1, settings: JSON.stringify(settings) })
    .execute()
  return { id, datasetId: dataset.id, settings }
}

/** Inserts or changes records, as a re-import would. */
export async function putRecords(
  db: Db,
  datasetId: number,
  records: readonly TestRecord[],
): Promise<void> {
  for (const [position, record] of records.entries()) {
    const cells = {
      source: JSON.stringify(record),
      source_hash: sha256(JSON.stringify(record)),
    }
    await db
      .insertInto('entry')
      .values({ dataset_id: datasetId, external_id: record.id, position, ...cells })
      .onConflict((conflict) => conflict.columns(['dataset_id', 'external_id']).doUpdateSet(cells))
      .execute()
  }
}

/** Writes the next revision of a project's settings. */
export async function reviseSettings(
  db: Db,
  project: TestProject,
  changes: Partial<ProjectSettings>,
): Promise<TestProject> {
  const settings = { ...project.settings, ...changes }
  const { revision } = await db
    .updateTable('project')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', project.id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_setting')
    .values({ project_id: project.id, revision, settings: JSON.stringify(settings) })
    .execute()
  return { ...project, settings }
}
