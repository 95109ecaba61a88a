import { canonicalText } from '../../core/canonical-text.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { Db } from '../../db/connect.ts'
import { countDataset, findDataset } from '../../db/datasets.repo.ts'
import {
  createProject,
  findProject,
  listProjects,
  type Project,
  type ProjectChain,
} from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { unknownDataset } from '../datasets/unknown-dataset.ts'
import { refreshProjects, type RefreshedProjectCounts } from '../import/refresh-projects.ts'
import { applyMapping } from '../mapping/apply-mapping.ts'
import { checkMappedColumns } from '../mapping/check-columns.ts'
import type { MappingChanges } from '../mapping/mapping-file.ts'

export interface ProjectWish {
  /** Name of the dataset. */
  readonly dataset: string
  /** As `serviceName` gives it. */
  readonly service: string
  readonly title?: string | undefined
  readonly about?: string | undefined
  /** Over the mapping of the dataset. */
  readonly mapping: MappingChanges
  readonly after?: ProjectChain | undefined
  /** A project of the dataset that has these settings already is taken, and none is made. */
  readonly takesEqual?: boolean
}

export interface MadeProject {
  readonly project: Project
  /** Present records of its dataset. */
  readonly records: number
  /** It was there already. */
  readonly wasThere: boolean
  readonly refreshed: RefreshedProjectCounts | undefined
}

/**
 * Makes a project and gives it its records.
 * @throws UsageError `unknown_dataset`, `no_name_column`, `bad_chain`, …
 */
export async function makeProject(db: Db, wish: ProjectWish): Promise<MadeProject> {
  const dataset = await findDataset(db, wish.dataset)
  if (dataset === undefined) throw await unknownDataset(db, wish.dataset)
  const mapping = applyMapping(wish.mapping, dataset.mapping)
  checkMappedColumns(mapping, dataset.columns, `dataset "${dataset.name}"`)
  const { after } = wish
  if (after !== undefined) {
    const before = await findProject(db, after.projectId)
    if (before?.datasetId !== dataset.id) {
      throw badChain(`Project ${after.projectId} does not match the dataset "${dataset.name}".`)
    }
  }
  const settings = { ...mapping, service: wish.service }
  const equal = wish.takesEqual ? await equalProject(db, dataset.id, settings) : undefined
  const id =
    equal?.id ??
    (await createProject(db, {
      name: wish.title ?? dataset.name,
      about: wish.about,
      datasetId: dataset.id,
      settings,
      after,
    }))
  const project = id === undefined ? undefined : await findProject(db, id)
  if (project === undefined) throw new Error('The new project is gone; was it deleted just now?')
  const [refreshed] = await refreshProjects(db, [project])
  const { entries } = await countDataset(db, dataset.id)
  return { project, records: entries, wasThere: equal !== undefined, refreshed }
}

export function badChain(message: string): UsageError {
  return new UsageError({
    code: 'bad_chain',
    message,
    hint: 'Expected --after ID, a project of the same dataset, and --on OUTCOME….',
  })
}

/** A project of the whole dataset with the same settings, whatever it has learned since. */
async function equalProject(
  db: Db,
  datasetId: number,
  settings: ProjectSettings,
): Promise<Project | undefined> {
  const wanted = settingsText(settings)
  const projects = await listProjects(db)
  return projects.find(
    (project) =>
      project.datasetId === datasetId &&
      project.after === null &&
      settingsText(project.settings) === wanted,
  )
}

function settingsText(settings: ProjectSettings): string {
  return canonicalText({ ...settings, weights: null })
}
