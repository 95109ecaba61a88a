import { withCommandContext } from '../command-context.ts'
import type { FailuresFlags } from '../commands/failures.ts'
import { knownProject } from '../known-project.ts'
import { oneLine, printAnswer, say } from '../output.ts'
import { projectFailures } from './project-failures.ts'

/** The command `failures`. */
export async function listFailures(flags: FailuresFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const groups = await projectFailures(db, project.id)
    const total = groups.reduce((sum, { count }) => sum + count, 0)
    printAnswer(flags.output, groups, () =>
      total === 0
        ? `Project ${project.id}: nothing failed.`
        : groups
            .flatMap(({ code, count, example, advice, next }) => [
              `${count} failed: ${code}`,
              `  such as ${oneLine(example.entry)}: ${oneLine(example.message ?? 'no message')}`,
              `  ${advice}`,
              ...next.map((command) => `    ${oneLine(command)}`),
            ])
            .join('\n'),
    )
    say(
      total === 0
        ? `How it stands: ./record-linker status --project ${project.id}`
        : `All ${total} again: ./record-linker retry-failed --project ${project.id}`,
    )
  })
}
