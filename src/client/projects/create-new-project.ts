import { canonicalText } from '../../core/canonical-text.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { Db } from '../../db/connect.ts'
import { countDataset, findDataset } from '../../db/datasets.repo.ts'
import { createProject, findProject, listProjects, type Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import type { NewProjectFlags } from '../commands/project.ts'
import { unknownDataset } from '../datasets/unknown-dataset.ts'
import { judgmentsText, refreshProjects } from '../import/refresh-projects.ts'
import { applyMapping, mappingFileOf } from '../mapping/apply-mapping.ts'
import { checkMappedColumns } from '../mapping/check-columns.ts'
import { mappingChanges } from '../mapping/mapping-flags.ts'
import { serviceName } from '../mapping/service-name.ts'
import { printAnswer, say } from '../output.ts'

/**
 * The command `project create`.
 * @param takesEqual a project of the dataset that has these settings already is taken, and none is made
 */
export async function createNewProject(flags: NewProjectFlags, takesEqual = false): Promise<void> {
  const service = serviceName(flags.service)
  const changes = await mappingChanges(flags)
  await withCommandContext(async ({ db }) => {
    const dataset = await findDataset(db, flags.dataset)
    if (dataset === undefined) throw await unknownDataset(db, flags.dataset)
    const mapping = applyMapping(changes ?? {}, dataset.mapping)
    checkMappedColumns(mapping, dataset.columns, `dataset "${dataset.name}"`)
    const after = chainOf(flags)
    if (after !== undefined) {
      const before = await findProject(db, after.projectId)
      if (before?.datasetId !== dataset.id) {
        throw badChain(`Project ${after.projectId} does not match the dataset "${dataset.name}".`)
      }
    }
    const settings = { ...mapping, service }
    const equal = takesEqual ? await equalProject(db, dataset.id, settings) : undefined
    const id =
      equal?.id ??
      (await createProject(db, {
        name: flags.title ?? dataset.name,
        about: flags.about,
        datasetId: dataset.id,
        settings,
        after,
      }))
    const project = id === undefined ? undefined : await findProject(db, id)
    if (project === undefined) throw new Error('The new project is gone; was it deleted just now?')
    const [refreshed] = await refreshProjects(db, [project])
    const { entries } = await countDataset(db, dataset.id)
    const answer = {
      project: project.id,
      name: project.name,
      dataset: dataset.name,
      service,
      records: entries,
      mapping: mappingFileOf(mapping),
    }
    printAnswer(flags.output, answer, () => String(project.id))
    if (equal !== undefined) say('There is one with these settings already.')
    say(`Project ${project.id} matches ${entries} records of dataset "${dataset.name}".`)
    if (refreshed?.judgments !== undefined) say(judgmentsText(refreshed.judgments))
    say(`Try it on a few: ./record-linker match start --project ${project.id} --sample 20`)
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

function chainOf({ after, on }: NewProjectFlags) {
  if (after === undefined && on === undefined) return undefined
  if (after === undefined) throw badChain('--on says what another project left over: which one?')
  return { projectId: after, outcomes: on ?? ['no_candidate'] }
}

function badChain(message: string): UsageError {
  return new UsageError({
    code: 'bad_chain',
    message,
    hint: 'Expected --after ID, a project of the same dataset, and --on OUTCOME….',
  })
}
