import { defaultRunOptions } from '../../core/run.ts'
import { datasetById } from '../../db/datasets.repo.ts'
import { countDue } from '../../db/due-subjects.ts'
import { renameProject, reviseSettings } from '../../db/projects.repo.ts'
import { latestRun } from '../../db/runs.repo.ts'
import { withCommandContext } from '../command-context.ts'
import type { ProjectFlags } from '../commands/project.ts'
import { judgmentsText, refreshProjects } from '../import/refresh-projects.ts'
import { knownProject } from '../known-project.ts'
import { applyMapping } from '../mapping/apply-mapping.ts'
import { checkMappedColumns } from '../mapping/check-columns.ts'
import { mappingChanges } from '../mapping/mapping-flags.ts'
import { serviceName } from '../mapping/service-name.ts'
import { printAnswer, say } from '../output.ts'

/** The command `project set`. */
export async function changeProject(flags: ProjectFlags): Promise<void> {
  const { project: id } = flags
  const asked = flags.service === undefined ? undefined : serviceName(flags.service)
  const changes = await mappingChanges(flags)
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, id)
    const mapping = applyMapping(changes ?? {}, project.settings)
    const dataset = await datasetById(db, project.datasetId)
    checkMappedColumns(mapping, dataset?.columns ?? [], `dataset "${project.datasetName}"`)
    await renameProject(db, id, { name: flags.title, about: flags.about })
    const service = asked ?? project.settings.service
    const { revision, isNew } = (await reviseSettings(db, id, { ...mapping, service })) ?? {
      revision: project.revision,
      isNew: false,
    }
    const [refreshed] = await refreshProjects(db, [await knownProject(db, id)])
    const { due, judged } = await countDue(db, {
      projectId: id,
      revision,
      runId: null,
      options: defaultRunOptions,
    })
    const again = due.changed_settings + due.changed_cells
    printAnswer(flags.output, { project: id, revision, changed: isNew, again, judged }, () =>
      isNew
        ? `project ${id}: settings revision ${revision}; records to be decided again by the next start: ${again}, judged ones that stay: ${judged}`
        : `project ${id}: settings unchanged, revision ${revision}`,
    )
    if (refreshed?.judgments !== undefined) say(judgmentsText(refreshed.judgments))
    if (!isNew) return
    const run = await latestRun(db, id)
    if (run?.status === 'open') {
      say(`Run ${run.number} is open and goes on with revision ${run.settingsRevision}.`)
    }
    say(`Next: ./record-linker start-match --project ${id}`)
  })
}
