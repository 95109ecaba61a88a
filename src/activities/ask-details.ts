import { cancellationSignal } from '@temporalio/activity'
import type { ContentType } from '../core/extract/source-profile.ts'
import type { RequestBooks } from '../core/limiter/permit.ts'
import type { Db } from '../db/connect.ts'
import { noteDetailTrouble, openDetails, storeDetail } from '../db/extract-items.repo.ts'
import { endPageDetails, type PageKey } from '../db/extract-pages.repo.ts'
import type { ExtractRun } from '../db/extract-runs.repo.ts'
import { guardExtract } from './extract-guard.ts'
import { onceStored } from './once-stored.ts'
import { DOMAIN_UNAVAILABLE } from './outside-call.ts'
import { recordSourceExchange } from './record-source-exchange.ts'
import type { SourceDirectory } from './source-directory.ts'
import { sourceTrouble } from './source-trouble.ts'
import { waitFailure } from './to-failure.ts'
import { workerName } from './worker-name.ts'

export interface AskDetailsDeps {
  readonly db: Db
  readonly sources: SourceDirectory
  readonly books: RequestBooks
  /** Wall clock, ms since the epoch. */
  readonly nowMs: () => number
  readonly random: () => number
}

/**
 * Asks for the details of a page's items, one after the other, and stores each at once. An item that cannot be read is
 * noted and stays as the list had it; where the source is given up, so are all that are left.
 */
export async function askDetails(
  deps: AskDetailsDeps,
  run: ExtractRun,
  type: ContentType,
  key: PageKey,
): Promise<void> {
  const { db } = deps
  const source = deps.sources.find(run.profile)
  const { due } = await openDetails(db, key)
  for (const [index, { id, body, attempts }] of due.entries()) {
    // A pause holds after the request that is on its way.
    await guardExtract(db, key.runId)
    try {
      const detail = await source.fetchDetail(type, id, {
        signal: cancellationSignal(),
        attempt: attempts + 1,
        onExchange: recordSourceExchange(db),
      })
      source.silence = null
      await onceStored(() => storeDetail(db, key, id, withFields(body, detail)))
    } catch (error) {
      const trouble = sourceTrouble(deps, error, { source, run, attempts })
      const isGone = trouble.code === DOMAIN_UNAVAILABLE
      for (const one of isGone ? due.slice(index) : [{ id }]) {
        await noteDetailTrouble(db, key, one.id, { ...trouble, worker: workerName })
      }
      if (isGone) break
    }
  }
  const { due: again, waitMs } = await openDetails(db, key)
  if (again.length > 0 || waitMs !== null) {
    throw waitFailure('retry_later', 'Details are to be asked again.', waitMs ?? 1)
  }
  await endPageDetails(db, key)
}

/** An item with the fields of its details, those of the list first. */
function withFields(body: string, detail: object): string {
  const listed: object = JSON.parse(body)
  return JSON.stringify({ ...listed, ...detail })
}
