import { counted } from '../../core/counted.ts'
import { countDataset, deleteDataset, findDataset } from '../../db/datasets.repo.ts'
import { forgetUnusedAnswers } from '../../db/unused-answers.repo.ts'
import { UsageError } from '../../errors.ts'
import { forgottenText } from '../answers/prune-answers.ts'
import { withCommandContext } from '../command-context.ts'
import { confirm } from '../confirm.ts'
import { type OutputFormat, printAnswer } from '../output.ts'
import { unknownDataset } from './unknown-dataset.ts'

/** The command `dataset delete`. */
export async function removeDataset(
  name: string,
  flags: { readonly yes?: true; readonly output: OutputFormat },
): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const dataset = await findDataset(db, name)
    if (dataset === undefined) throw await unknownDataset(db, name)
    const { entries, absent, projects } = await countDataset(db, dataset.id)
    if (projects.length > 0) {
      throw new UsageError({
        code: 'dataset_in_use',
        message: `Dataset "${name}" is matched by project ${projects.join(', ')}.`,
        hint: 'Delete that first: ./record-linker project delete ID',
      })
    }
    await confirm(
      `Delete dataset "${name}" with its ${counted(entries + absent, 'record')}?`,
      flags.yes,
    )
    await deleteDataset(db, dataset.id)
    const { answers } = await forgetUnusedAnswers(db)
    printAnswer(flags.output, { dataset: name, deleted: true, answersForgotten: answers }, () =>
      [`dataset ${name} is deleted`, ...forgottenText(answers)].join('\n'),
    )
  })
}
