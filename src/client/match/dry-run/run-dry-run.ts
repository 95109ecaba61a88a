import type { RunOptions } from '../../../core/run.ts'
import { productVersion } from '../../../product-version.ts'
import { type CommandContext, withCommandContext } from '../../command-context.ts'
import type { ProjectFlags } from '../../commands/match.ts'
import { limitsPlace, readLimitsFile } from '../../limits/limits-file.ts'
import { printAnswer, say } from '../../output.ts'
import { existingProject } from '../match-context.ts'
import { missingContact } from '../missing-contact.ts'
import { dryRunReport } from './dry-run-report.ts'
import { dryRunText } from './dry-run-text.ts'

/** `start-match --dry-run`: what a start with these options would do, and what it would send to whom. */
export async function runDryRun(
  { project: id, output }: ProjectFlags,
  options: RunOptions,
  refreshBefore: Date | null,
): Promise<void> {
  await withCommandContext(async ({ config, stack, db }) => {
    const project = await existingProject(db, id)
    const report = await dryRunReport(db, {
      project,
      options,
      refreshBefore,
      url: addressOf(project.settings.service, stack),
      limitsFile: readLimitsFile(limitsPlace(config)),
      identity: { contact: config.contact, version: productVersion },
    })
    printAnswer(output, report, () => dryRunText(report))
    const refusal = missingContact({ config, stack }, project)
    if (refusal !== null) say(`A start would be refused: ${refusal.message} ${refusal.hint ?? ''}`)
    else if (report.questions.records > 0) say('Start it: the same command without --dry-run.')
  })
}

/** Undefined for a name that only the worker can resolve. */
function addressOf(
  service: string,
  { sampleServiceUrl }: CommandContext['stack'],
): string | undefined {
  if (/^https?:\/\//i.test(service)) return service
  return service === 'sample' ? sampleServiceUrl : undefined
}
