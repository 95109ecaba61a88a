import { withCommandContext } from '../command-context.ts'
import type { ExplainFlags } from '../commands/explain.ts'
import { knownProject } from '../known-project.ts'
import { printAnswer, say } from '../output.ts'
import { explainEntry, type Explanation } from './explain-entry.ts'
import { explanationText } from './explanation-text.ts'

/** The command `explain`. */
export async function runExplain(flags: ExplainFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const project = await knownProject(db, flags.project)
    const explanation = await explainEntry(db, project, flags.entry)
    printAnswer(flags.output, explanation, () => explanationText(explanation, flags.candidates))
    const next = nextLine(explanation)
    if (next !== null) say(next)
  })
}

function nextLine({ status, project, entry, decision }: Explanation): string | null {
  if (status === 'skipped' && decision?.decidedBy != null) {
    return `Take it up again: ./record-linker retry-failed --project ${project} --entry ${entry}`
  }
  if (status === 'failed') return `Ask again: ./record-linker retry-failed --project ${project}`
  if (status === 'new' || status === 'cancelled' || status === 'queued') {
    return `Next: ./record-linker start-match --project ${project}`
  }
  if (decision?.outdatedBy === 'changed_settings') {
    return `Decide again, asking nobody: ./record-linker rescore --project ${project}`
  }
  return status === 'review'
    ? `Say what is right: ./record-linker judgments import FILE --project ${project}`
    : null
}
