import { defaultRunOptions } from '../../core/run.ts'
import { countDue, type DueCounts } from '../../db/due-subjects.ts'
import { readPace } from '../../db/pace.repo.ts'
import { countProject } from '../../db/run-progress.repo.ts'
import { withCommandContext } from '../command-context.ts'
import type { ProjectFlags } from '../commands/project.ts'
import { knownProject } from '../known-project.ts'
import { mappingFileOf } from '../mapping/apply-mapping.ts'
import { isUsualPace, paceText } from '../match/pace-text.ts'
import { printAnswer } from '../output.ts'

/** The command `project show`. */
export async function showProject({ project: id, output }: ProjectFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, id)
    const { service, ...mapping } = project.settings
    const pace = await readPace(db, id)
    const records = await countProject(db, id)
    const next = await countDue(db, {
      projectId: id,
      revision: project.revision,
      runId: null,
      options: defaultRunOptions,
    })
    const answer = {
      project: id,
      name: project.name,
      about: project.about,
      dataset: project.datasetName,
      service,
      revision: project.revision,
      after: project.after,
      pace: pace ?? null,
      mapping: mappingFileOf(mapping),
      records,
      due: dueTotal(next),
    }
    printAnswer(output, answer, () =>
      [
        `project ${id}: ${project.name}`,
        ...(project.about === null ? [] : [project.about]),
        `dataset ${project.datasetName}, service ${service}, settings revision ${project.revision}`,
        ...(project.after === null
          ? []
          : [`after project ${project.after.projectId} on ${project.after.outcomes.join(', ')}`]),
        ...(pace === undefined || isUsualPace(pace) ? [] : [paceText(pace)]),
        ...Object.entries(answer.mapping).map(
          ([key, value]) => `  ${key.padEnd(11)}${JSON.stringify(value)}`,
        ),
        `${records.total} records: ${records.matched} matched, ${records.review} for review, ` +
          `${records.noCandidate} without candidate, ${records.skipped} skipped, ${records.failed} failed, ` +
          `${records.judged} judged (${records.stale} stale)`,
        `due at the next start: ${answer.due}`,
      ].join('\n'),
    )
  })
}

/** Records the next start would decide. */
function dueTotal({ due }: DueCounts): number {
  return Object.values(due).reduce((sum, count) => sum + count, 0)
}
