import { setAsideFailed } from '../../db/set-aside.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import type { SkipFlags } from '../commands/failures.ts'
import { knownProject } from '../known-project.ts'
import { oneLine, printAnswer, say } from '../output.ts'
import { userName } from '../user-name.ts'
import { failedPick } from './failed-pick.ts'

const SHOWN = 10

/** The command `skip`. */
export async function skipFailed(flags: SkipFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const pick = await failedPick(db, project, flags, false)
    if (pick === null) throw nothingNamed(project.id)
    const by = flags.by ?? userName('somebody')
    const reason = flags.reason ?? 'by a person, without a reason'
    const skipped = await setAsideFailed(db, project, pick, { by, reason })
    const answer = { project: project.id, skipped: skipped.length, by, reason, entries: skipped }
    printAnswer(flags.output, answer, () =>
      [
        `Project ${project.id}: ${skipped.length} set aside by ${oneLine(by)}`,
        ...skipped
          .slice(0, SHOWN)
          .map(({ entry, code }) => `  ${oneLine(entry)} (${code ?? 'unknown'})`),
        ...(skipped.length > SHOWN ? [`  and ${skipped.length - SHOWN} more`] : []),
      ].join('\n'),
    )
    if (skipped.length === 0) {
      say(`None of these has failed; which have: ./record-linker failures --project ${project.id}`)
    } else {
      say(`Take one up again: ./record-linker retry-failed --project ${project.id} --entry ID`)
    }
  })
}

function nothingNamed(projectId: number): UsageError {
  return new UsageError({
    code: 'nothing_named',
    message: 'It is not said which failed records are set aside.',
    hint: `Name them with --entry ID or --code CODE; see: ./record-linker failures --project ${projectId}`,
  })
}
