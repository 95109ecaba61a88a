import { counted } from '../../core/counted.ts'
import { withCommandContext } from '../command-context.ts'
import type { NewProjectFlags } from '../commands/project.ts'
import { judgmentsText } from '../import/refresh-projects.ts'
import { mappingFileOf } from '../mapping/apply-mapping.ts'
import { mappingChanges } from '../mapping/mapping-flags.ts'
import { serviceName } from '../mapping/service-name.ts'
import { printAnswer, say } from '../output.ts'
import { badChain, makeProject } from './make-project.ts'

/**
 * The command `project create`.
 * @param takesEqual a project of the dataset that has these settings already is taken, and none is made
 */
export async function createNewProject(flags: NewProjectFlags, takesEqual = false): Promise<void> {
  const service = serviceName(flags.service)
  const changes = await mappingChanges(flags)
  await withCommandContext(async ({ db }) => {
    const { project, records, wasThere, refreshed } = await makeProject(db, {
      dataset: flags.dataset,
      service,
      title: flags.title,
      about: flags.about,
      mapping: changes ?? {},
      after: chainOf(flags),
      takesEqual,
    })
    const { service: _, ...mapping } = project.settings
    const answer = {
      project: project.id,
      name: project.name,
      dataset: project.datasetName,
      service,
      records,
      mapping: mappingFileOf(mapping),
    }
    printAnswer(flags.output, answer, () => String(project.id))
    if (wasThere) say('There is one with these settings already.')
    say(
      `Project ${project.id} matches ${counted(records, 'record')} of dataset "${project.datasetName}".`,
    )
    if (refreshed?.judgments !== undefined) say(judgmentsText(refreshed.judgments))
    say(`Try it on a few: ./record-linker start-match --project ${project.id} --sample 20`)
  })
}

function chainOf({ after, on }: NewProjectFlags) {
  if (after === undefined && on === undefined) return undefined
  if (after === undefined) throw badChain('--on says what another project left over: which one?')
  return { projectId: after, outcomes: on ?? ['no_candidate'] }
}
