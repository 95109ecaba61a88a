import { judgeListing } from '../core/extract/listing-verdict.ts'
import { contentTypeOf } from '../core/extract/source-profile.ts'
import type { Db } from '../db/connect.ts'
import { endType, findCheckpoint, listingFacts } from '../db/extract-checkpoints.repo.ts'
import { landItems } from '../db/extract-landing.ts'
import type { TypeKey } from '../db/extract-pages.repo.ts'
import { extractErrors } from '../db/extract-report.repo.ts'
import type { ExtractRun } from '../db/extract-runs.repo.ts'
import { forgetList } from '../db/forget-list.ts'
import { UsageError } from '../errors.ts'
import { waitFailure } from './to-failure.ts'

const IMPORT_ENDS_WITHIN_MS = 5_000
const ERRORS_LOOKED_AT = 1_000

/**
 * Judges a list that was read, and lands its items, unless that is done. Or forgets it.
 * @param mayReread a list that changed while it was read is to be read again
 */
export async function finishListing(
  db: Db,
  run: ExtractRun,
  key: TypeKey,
  mayReread: boolean,
): Promise<'ended' | 'reread'> {
  const checkpoint = await findCheckpoint(db, key)
  if (checkpoint?.state !== 'open') return 'ended'
  const facts = await listingFacts(db, key)
  const verdict = judgeListing(facts)
  // Without a page it was forgotten, by an attempt that could not say so any more.
  if (facts.pages === 0 || (mayReread && verdict.state === 'unstable')) {
    await forgetList(db, key, run.options.config.batchSize)
    return 'reread'
  }
  if (facts.failedPages > 0 && facts.distinctIds === 0) {
    const errors = await extractErrors(db, run.id, ERRORS_LOOKED_AT)
    const first = errors.find(({ type }) => type === key.type)
    const { code = 'pages_failed', message = 'No page could be read.' } = first ?? {}
    await endType(db, key, { state: 'failed', code, message })
    return 'ended'
  }
  try {
    await landItems(db, key, {
      dataset: checkpoint.dataset,
      type: contentTypeOf(run.profile, key.type),
      verdict,
      mostAbsentPercent: run.options.mostAbsentPercent,
      isPartial: run.options.since?.[key.type] !== undefined,
    })
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== 'import_running') throw error
    throw waitFailure(error.code, error.message, IMPORT_ENDS_WITHIN_MS)
  }
  return 'ended'
}
