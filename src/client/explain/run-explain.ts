import { withCommandContext } from '../command-context.ts'
import type { ExplainFlags } from '../commands/explain.ts'
import { knownProject } from '../known-project.ts'
import { reviewExportCommand } from '../match/next-lines.ts'
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
  return status === 'review' ? judgeLines(project) : null
}

/** Said in full, as a file of judgments looks like no other. */
export function judgeLines(project: number): string {
  return [
    `Say what is right, on a page: ./record-linker review --project ${project}`,
    `From a file: ./record-linker judgments import FILE --project ${project}`,
    '  FILE has the columns id, verdict (match, none_fits, not_in_wikidata, not_applicable), and qid with match,',
    `  or is a review file: ${reviewExportCommand(project)}`,
  ].join('\n')
}
