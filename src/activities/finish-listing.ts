import { judgeListing } from '../core/extract/listing-verdict.ts'
import { contentTypeOf } from '../core/extract/source-profile.ts'
import type { Db } from '../db/connect.ts'
import { endType, findCheckpoint, listingFacts } from '../db/extract-checkpoints.repo.ts'
import { landItems } from '../db/extract-landing.ts'
import type { TypeKey } from '../db/extract-pages.repo.ts'
import { extractErrors } from '../db/extract-report.repo.ts'
import type { ExtractRun } from '../db/extract-runs.repo.ts'
import { UsageError } from '../errors.ts'
import { waitFailure } from './to-failure.ts'

const IMPORT_ENDS_WITHIN_MS = 5_000
const ERRORS_LOOKED_AT = 1_000

/** Judges a list that was read, and lands its items, unless that is done. */
export async function finishListing(db: Db, run: ExtractRun, key: TypeKey): Promise<void> {
  const checkpoint = await findCheckpoint(db, key)
  if (checkpoint?.state !== 'open') return
  const facts = await listingFacts(db, key)
  if (facts.failedPages > 0 && facts.distinctIds === 0) {
    const errors = await extractErrors(db, run.id, ERRORS_LOOKED_AT)
    const first = errors.find(({ type }) => type === key.type)
    const { code = 'pages_failed', message = 'No page could be read.' } = first ?? {}
    return endType(db, key, { state: 'failed', code, message })
  }
  try {
    await landItems(db, key, {
      dataset: checkpoint.dataset,
      type: contentTypeOf(run.profile, key.type),
      verdict: judgeListing(facts),
      mostAbsentPercent: run.options.mostAbsentPercent,
    })
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== 'import_running') throw error
    throw waitFailure(error.code, error.message, IMPORT_ENDS_WITHIN_MS)
  }
}
