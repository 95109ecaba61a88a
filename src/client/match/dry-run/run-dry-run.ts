import type { RunOptions } from '../../../core/run.ts'
import { productVersion } from '../../../product-version.ts'
import { withCommandContext } from '../../command-context.ts'
import type { ProjectFlags } from '../../commands/match.ts'
import { limitsPlace, readLimitsFile } from '../../limits/limits-file.ts'
import { printAnswer, say } from '../../output.ts'
import { existingProject } from '../match-context.ts'
import { missingContact } from '../missing-contact.ts'
import { serviceAddress } from '../service-address.ts'
import { dryRunReport } from './dry-run-report.ts'
import { dryRunText } from './dry-run-text.ts'

/** `start-match --dry-run`: what a start with these options would do, and what it would send to whom. */
export async function runDryRun(
  { project: id, output }: ProjectFlags,
  options: RunOptions,
  refreshBefore: Date | null,
): Promise<void> {
  await withCommandContext(async (context) => {
    const { config, db } = context
    const project = await existingProject(db, id)
    const report = await dryRunReport(db, {
      project,
      options,
      refreshBefore,
      url: serviceAddress(project.settings.service, context),
      wikidataToken: config.wikidataToken,
      limitsFile: readLimitsFile(limitsPlace(config)),
      identity: { contact: config.contact, version: productVersion },
    })
    printAnswer(output, report, () => dryRunText(report))
    const refusal = missingContact(context, project)
    if (refusal !== null) say(`A start would be refused: ${refusal.message} ${refusal.hint ?? ''}`)
    else if (report.questions.records > 0) say('Start it: the same command without --dry-run.')
  })
}
