import { forgetUnusedAnswers } from '../../db/unused-answers.repo.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer } from '../output.ts'

/** The command `answers prune`. */
export async function pruneAnswers(output: OutputFormat): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const forgotten = await forgetUnusedAnswers(db)
    printAnswer(output, forgotten, () =>
      forgotten.answers === 0
        ? 'every stored answer is of a record that is there'
        : forgottenText(forgotten.answers).join('\n'),
    )
  })
}

/** Empty when there was nothing to forget. */
export function forgottenText(answers: number): readonly string[] {
  return answers === 0
    ? []
    : [`forgotten: ${answers} stored answers that no record asks for any more`]
}
