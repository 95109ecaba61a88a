import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/connect.ts'
import { findDataset, setDatasetMapping } from '../../db/datasets.repo.ts'
import {
  createProject,
  findProject,
  listProjects,
  type Project,
  reviseSettings,
} from '../../db/projects.repo.ts'
import type { DatasetMapping } from '../../db/tables/dataset.table.ts'
import { UsageError } from '../../errors.ts'
import { applyMapping } from '../mapping/apply-mapping.ts'
import type { MappingChanges } from '../mapping/mapping-file.ts'
import { serviceName } from '../mapping/service-name.ts'
import type { ImportReport, ImportRequest } from './import-records.ts'
import { refreshProjects, type RefreshedProjectCounts } from './refresh-projects.ts'

/** Which dataset an import fills, who reads it, and what follows. */
export interface ImportPlan {
  readonly datasetName: string
  readonly readers: ImportRequest['readers']
  /** Column with items of earlier matches. */
  readonly earlier: ImportRequest['earlier']
  /** How the records will be read; null: nobody has said yet. */
  readonly mapping: DatasetMapping | null
  /** What the import changes besides records, to be said before it does. */
  readonly notes: readonly string[]
  /** What is written once the records are there. */
  readonly after: (report: ImportReport) => Promise<readonly RefreshedProjectCounts[]>
}

/** @throws UsageError `no_name_column`, `bad_mapping` */
export async function planForDataset(
  db: Db,
  name: string,
  changes: MappingChanges | undefined,
): Promise<ImportPlan> {
  const dataset = await findDataset(db, name)
  const mapping = changes === undefined ? undefined : applyMapping(changes, dataset?.mapping)
  const projects = await projectsOf(db, dataset?.id)
  return {
    datasetName: name,
    readers: [
      ...(mapping === undefined ? [] : [{ owner: 'the mapping', mapping }]),
      ...projects.map(readerOf),
    ],
    earlier: earlierColumn(
      mapping ?? dataset?.mapping,
      projects.map(({ settings }) => settings.service),
    ),
    mapping: mapping ?? dataset?.mapping ?? null,
    notes: mapping === undefined ? [] : mappingNotes(name, dataset?.mapping, mapping, projects),
    async after({ datasetId }) {
      if (mapping !== undefined) await setDatasetMapping(db, datasetId, mapping)
      return refreshProjects(db, projects)
    },
  }
}

/**
 * A project that does not exist is made after the import, with a dataset of its own.
 * @throws UsageError `unknown_project`, `shared_dataset`, `bad_service`, …
 */
export async function planForProject(
  db: Db,
  id: number,
  asked: string | undefined,
  changes: MappingChanges | undefined,
): Promise<ImportPlan> {
  const project = await findProject(db, id)
  if (project === undefined) return planForNewProject(db, id, asked, changes)
  const others = (await projectsOf(db, project.datasetId)).filter((one) => one.id !== id)
  if (others.length > 0) throw sharedDataset(project, others)
  const { settings } = project
  const service = asked === undefined ? settings.service : serviceName(asked)
  const mapping = applyMapping(changes ?? {}, settings)
  return {
    datasetName: project.datasetName,
    readers: [{ owner: `project ${id}`, mapping }],
    earlier: earlierColumn(mapping, [service]),
    mapping,
    notes: [],
    async after() {
      await reviseSettings(db, id, { ...mapping, service })
      return refreshProject(db, id)
    },
  }
}

async function planForNewProject(
  db: Db,
  id: number,
  asked: string | undefined,
  changes: MappingChanges | undefined,
): Promise<ImportPlan> {
  if (asked === undefined) {
    throw new UsageError({
      code: 'unknown_project',
      message: `There is no project ${id}.`,
      hint: 'Make it with this import by adding --service and --name, or see: ./record-linker project list',
    })
  }
  const service = serviceName(asked)
  const datasetName = `project-${id}`
  const dataset = await findDataset(db, datasetName)
  const mapping = applyMapping(changes ?? {}, dataset?.mapping)
  return {
    datasetName,
    readers: [{ owner: `project ${id}`, mapping }],
    earlier: earlierColumn(mapping, [service]),
    mapping,
    notes: [],
    async after({ datasetId }) {
      const settings = { ...mapping, service }
      await createProject(db, { id, name: datasetName, datasetId, settings })
      return refreshProject(db, id)
    },
  }
}

/** A dataset's mapping is what its next project starts with; the ones there are keep their own. */
function mappingNotes(
  name: string,
  before: DatasetMapping | null | undefined,
  after: DatasetMapping,
  projects: readonly Project[],
): readonly string[] {
  if (before === null || before === undefined || isDeepStrictEqual(before, after)) return []
  const ids = projects.map((one) => one.id)
  const kept =
    ids.length === 0
      ? ''
      : ` Those that are there keep theirs; to change one: ./record-linker project set ${ids[0]} …`
  return [`New projects of "${name}" will start with the mapping given now.${kept}`]
}

async function projectsOf(db: Db, datasetId: number | undefined): Promise<readonly Project[]> {
  if (datasetId === undefined) return []
  return (await listProjects(db)).filter((project) => project.datasetId === datasetId)
}

async function refreshProject(db: Db, id: number): Promise<readonly RefreshedProjectCounts[]> {
  const project = await findProject(db, id)
  return project === undefined ? [] : refreshProjects(db, [project])
}

function earlierColumn(
  mapping: DatasetMapping | null | undefined,
  services: readonly string[],
): ImportRequest['earlier'] {
  const column = mapping?.mapping.earlier?.column
  return column === undefined ? undefined : { column, services }
}

function readerOf({ id, settings }: Project): ImportRequest['readers'][number] {
  return { owner: `project ${id}`, mapping: settings }
}

function sharedDataset(project: Project, others: readonly Project[]): UsageError {
  const ids = others.map((one) => one.id).join(', ')
  return new UsageError({
    code: 'shared_dataset',
    message: `Project ${project.id} shares the dataset "${project.datasetName}" with project ${ids}; the import would change their records too.`,
    hint: `If that is meant: ./record-linker import FILE --dataset ${project.datasetName}`,
  })
}
