import { counted } from '../../core/counted.ts'
import { withCommandContext } from '../command-context.ts'
import type { ProjectFlags } from '../commands/project.ts'
import { knownProject } from '../known-project.ts'
import { isUsualPace, paceText } from '../match/pace-text.ts'
import { printAnswer } from '../output.ts'
import { type ProjectDetails, projectDetails } from './project-details.ts'

/** The command `project show`. */
export async function showProject({ project: id, output }: ProjectFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const details = await projectDetails(db, await knownProject(db, id))
    printAnswer(output, details, () => detailsText(details))
  })
}

function detailsText(details: ProjectDetails): string {
  const { project, name, about, dataset, service, revision, after, pace, mapping } = details
  const { records, due } = details
  return [
    `project ${project}: ${name}`,
    ...(about === null ? [] : [about]),
    `dataset ${dataset}, service ${service}, settings revision ${revision}`,
    ...(after === null ? [] : [`after project ${after.projectId} on ${after.outcomes.join(', ')}`]),
    ...(pace === null || isUsualPace(pace) ? [] : [paceText(pace)]),
    ...Object.entries(mapping).map(([key, value]) => `  ${key.padEnd(11)}${JSON.stringify(value)}`),
    `${counted(records.total, 'record')}: ${records.matched} matched, ${records.review} for review, ` +
      `${records.noCandidate} without candidate, ${records.skipped} skipped, ${records.failed} failed, ` +
      `${records.judged} judged (${records.stale} stale)`,
    `due at the next start: ${due}`,
  ].join('\n')
}
