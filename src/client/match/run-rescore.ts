import { withCommandContext } from '../command-context.ts'
import type { RescoreFlags } from '../commands/rescore.ts'
import { knownProject } from '../known-project.ts'
import { printAnswer, say } from '../output.ts'
import { previewRescore } from './rescore-preview.ts'
import { changesTable, countLines, countsText } from './result-changes.ts'
import { runStart } from './run-start.ts'

/** The command `rescore`: a run that asks nobody, or a look at what it would change. */
export async function runRescore(flags: RescoreFlags): Promise<void> {
  if (flags.dryRun !== true) return runStart(flags, { rescore: true })
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const { counts, unchanged, unanswered, examples } = await previewRescore(db, project)
    const answer = { project: project.id, dryRun: true, counts, unchanged, unanswered, examples }
    printAnswer(flags.output, answer, () =>
      [
        `Project ${project.id}, settings revision ${project.revision}, would change: ${countsText(counts)}`,
        ...countLines(counts),
        `  unchanged ${unchanged}`,
        ...(unanswered === 0
          ? []
          : [`  kept      ${unanswered}  some of their questions have no stored answer`]),
        ...changesTable(examples),
      ].join('\n'),
    )
    say('Nothing was written, and nobody was asked.')
    if (Object.values(counts).every((count) => count === 0)) return
    say(`Do it: ./record-linker rescore --project ${project.id}`)
  })
}
