import { countJudgments } from '../../db/judgments.repo.ts'
import { deleteProject } from '../../db/projects.repo.ts'
import { forgetUnusedAnswers } from '../../db/unused-answers.repo.ts'
import { UsageError } from '../../errors.ts'
import { forgottenText } from '../answers/prune-answers.ts'
import { withCommandContext } from '../command-context.ts'
import type { ProjectFlags } from '../commands/project.ts'
import { confirm } from '../confirm.ts'
import { knownProject } from '../known-project.ts'
import { printAnswer, say } from '../output.ts'

/** The command `project delete`. */
export async function removeProject(flags: ProjectFlags & { readonly yes?: true }): Promise<void> {
  const { project: id, output } = flags
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, id)
    const judgments = await countJudgments(db, id)
    const lost = judgments === 0 ? '' : `, and its ${judgments} judgments`
    await confirm(
      `Delete project ${id} (${project.name}) with its runs and decisions${lost}?`,
      flags.yes,
    )
    if ((await deleteProject(db, id)) === 'run_open') {
      throw new UsageError({
        code: 'run_open',
        message: `Project ${id} is being matched.`,
        hint: `End that first: ./record-linker cancel-match --project ${id}`,
      })
    }
    const { answers } = await forgetUnusedAnswers(db)
    printAnswer(output, { project: id, deleted: true, answersForgotten: answers }, () =>
      [`project ${id} is deleted`, ...forgottenText(answers)].join('\n'),
    )
    say(`Its dataset stays: ./record-linker dataset show ${project.datasetName}`)
  })
}
