/** What a start would do and send; sends nothing, and reads where PostgreSQL refuses every write. */
import { limitsPlace, readLimitsFile } from '../client/limits/limits-file.ts'
import { type DryRunReport, dryRunReport } from '../client/match/dry-run/dry-run-report.ts'
import { missingContact } from '../client/match/missing-contact.ts'
import { serviceAddress } from '../client/match/service-address.ts'
import { defaultRunOptions } from '../core/run.ts'
import type { Project } from '../db/projects.repo.ts'
import type { UsageError } from '../errors.ts'
import { productVersion } from '../product-version.ts'
import type { WebContext } from './web-context.ts'

export interface StartLook {
  readonly report: DryRunReport
  /** Why a start would be refused; null: it would not. */
  readonly refusal: UsageError | null
}

export async function startLook(context: WebContext, project: Project): Promise<StartLook> {
  const { config, db } = context
  const report = await dryRunReport(db, {
    project,
    options: defaultRunOptions,
    refreshBefore: null,
    url: serviceAddress(project.settings.service, context),
    wikidataToken: config.wikidataToken,
    limitsFile: readLimitsFile(limitsPlace(config)),
    identity: { contact: config.contact, version: productVersion },
  })
  return { report, refusal: missingContact(context, project) }
}
