import { cancellationSignal } from '@temporalio/activity'
import type { PageRange, PageResult } from '../core/extract/page-plan.ts'
import { isChained, judgePage, type PagePlace } from '../core/extract/paginator.ts'
import { smallerSize } from '../core/extract/page-size.ts'
import { type ContentType, contentTypeOf } from '../core/extract/source-profile.ts'
import type { RequestBooks } from '../core/limiter/permit.ts'
import type { Db } from '../db/connect.ts'
import { endType, findCheckpoint, resumePosition } from '../db/extract-checkpoints.repo.ts'
import { type CoveringPage, lookAtPage, type PageLook } from '../db/extract-page-look.repo.ts'
import { notePageTrouble, type PageKey, storePage, type TypeKey } from '../db/extract-pages.repo.ts'
import type { ExtractRun } from '../db/extract-runs.repo.ts'
import type { SourcePage } from '../http/extract/source-client.ts'
import type { ExtractTypeActivities } from './activity-contracts.ts'
import { askDetails } from './ask-details.ts'
import { assertMayAsk, extractionClosed, guardExtract, openExtraction } from './extract-guard.ts'
import { finishListing } from './finish-listing.ts'
import { withHeartbeat } from './heartbeat.ts'
import { onceStored } from './once-stored.ts'
import { backOffMs } from './outside-call.ts'
import { recordSourceExchange } from './record-source-exchange.ts'
import type { SourceDirectory } from './source-directory.ts'
import { type SourceQuestion, sourceTrouble } from './source-trouble.ts'
import { waitFailure, withFailures } from './to-failure.ts'
import { inPageSpan } from './traces/page-trace.ts'
import { spanNow } from './traces/span-now.ts'
import type { Tracer } from './traces/tracer.ts'
import type { WorkMetrics } from './work-metrics.ts'
import { workerName } from './worker-name.ts'

/** So long an activity asks page after page; longer, and a pause or another worker would wait for it. */
const LONGEST_TURN_MS = 4_000

export interface ExtractTypeActivityDeps {
  readonly db: Db
  readonly sources: SourceDirectory
  readonly books: RequestBooks
  readonly metrics: Pick<WorkMetrics, 'page'>
  readonly tracer: Tracer
  /** Wall clock, ms since the epoch. */
  readonly nowMs: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export function createExtractTypeActivities(deps: ExtractTypeActivityDeps): ExtractTypeActivities {
  const { db } = deps
  return {
    openType: ({ runId, type: name }) =>
      withFailures(async () => {
        const { profile } = await openExtraction(db, runId)
        const type = contentTypeOf(profile, name)
        const checkpoint = await findCheckpoint(db, { runId, type: name })
        if (checkpoint === undefined) throw new TypeError('expected a content type of the run')
        return {
          isChained: isChained(type.paginator),
          hasDetails: type.detail !== null,
          size: checkpoint.pageSize,
          ...(await resumePosition(db, { runId, type: name })),
        }
      }),

    extractPage: ({ runId, type, ...range }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const run = await openExtraction(db, runId)
          return pageResult(deps, run, { runId, type }, range)
        }),
      ),

    extractPages: ({ ranges, ...key }) =>
      withFailures(() => withHeartbeat(() => pagesInTurn(deps, key, ranges))),

    extractDetails: (key) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const run = await guardExtract(db, key.runId)
          const type = contentTypeOf(run.profile, key.type)
          await inPageSpan(deps.tracer, 'details', { run, key }, () =>
            askDetails(deps, run, type, key),
          )
        }),
      ),

    finishType: ({ mayReread = false, ...key }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const run = await openExtraction(db, key.runId)
          const outcome = await finishListing(db, run, key, mayReread)
          // Who looks at `limits` right after it is to see all its requests.
          await deps.books.settle()
          return outcome
        }),
      ),

    failType: ({ code, message, ...key }) =>
      withFailures(() => endType(db, key, { state: 'failed', code, message })),
  }
}

/** A page that waits makes the activity wait; the next attempt finds those before it stored. */
async function pagesInTurn(
  deps: ExtractTypeActivityDeps,
  key: TypeKey,
  ranges: readonly PageRange[],
): Promise<readonly PageResult[]> {
  const startedAtMs = performance.now()
  const run = await openExtraction(deps.db, key.runId)
  const results: PageResult[] = []
  for (const { position, limit } of ranges) {
    const size = Math.min(limit, results.at(-1)?.size ?? limit)
    const result = await pageResult(deps, run, key, { position, limit: size })
    results.push(result)
    if (result.state === 'failed' || result.isLast) break
    if (performance.now() - startedAtMs > LONGEST_TURN_MS) break
  }
  return results
}

async function pageResult(
  deps: ExtractTypeActivityDeps,
  run: ExtractRun,
  typeKey: TypeKey,
  { position, limit }: PageRange,
): Promise<PageResult> {
  const { db } = deps
  const key = { ...typeKey, position }
  const look = await lookAtPage(db, key)
  if (look === undefined) throw extractionClosed(run.id)
  const { known, covering, next, cursor } = look
  if (known?.isOpen === false) {
    const { state, rows, advance, size, isLast, total } = known
    return { state, rows, advance, size, isLast, total }
  }
  assertMayAsk(run.id, look.run)
  if (known !== null && known.waitMs !== null && known.waitMs > 0) throw askLater(known.waitMs)
  const type = contentTypeOf(run.profile, key.type)
  // A page of a chain meets no other: it begins where the one before ended.
  const isNumbered = !isChained(type.paginator)
  if (isNumbered && covering !== null) return coveredBy(covering, { position, limit })
  const wanted = Math.min(limit, known?.asked ?? limit)
  // Not into a page that is stored already, as an earlier execution may have left it.
  const asked = isNumbered && next !== null ? Math.min(wanted, next - position) : wanted
  const more = { size: asked, attempt: (known?.attempts ?? 0) + 1 }
  return inPageSpan(deps.tracer, 'page', { run, key, more }, async (span) => {
    const place = { position, size: asked, cursor: isNumbered ? null : cursor }
    const result = await askForPage(deps, run, type, { key, place, known })
    span.set({ state: result.state, rows: result.rows })
    return result
  })
}

interface PageQuestion {
  readonly key: PageKey
  readonly place: PagePlace
  readonly known: PageLook['known']
}

/** @returns the page as it is stored, or failed; @throws that it is to be asked again */
async function askForPage(
  deps: ExtractTypeActivityDeps,
  run: ExtractRun,
  type: ContentType,
  { key, place, known }: PageQuestion,
): Promise<PageResult> {
  const { db } = deps
  const { position, size: asked } = place
  const source = deps.sources.find(run.profile)
  let page: SourcePage
  try {
    page = await source.fetchPage(type, place, {
      signal: cancellationSignal(),
      attempt: (known?.attempts ?? 0) + 1,
      onExchange: recordSourceExchange(db),
    })
  } catch (error) {
    const question = { source, run, attempts: known?.attemptsAtSize ?? 0 }
    return afterTrouble(deps, question, type, key, { error, asked })
  }
  source.silence = null
  const fresh = { ...page, asked, hasDetails: type.detail !== null, worker: workerName }
  const stored = await onceStored(() =>
    storePage(db, key, fresh, (seen) => judgePage(type, { ...seen, ...page, position, asked })),
  )
  if (stored === undefined) throw extractionClosed(key.runId)
  deps.metrics.page(run.source, 'stored', stored.rows)
  return stored
}

/** What begins inside of a stored page is stored: the list goes on behind it. */
function coveredBy(page: CoveringPage, { position, limit }: PageRange): PageResult {
  const { isLast, total } = page
  // Where the list ends is where its last page says.
  const rows = isLast ? Math.max(0, page.position + page.rows - position) : 0
  const advance = page.position + page.advance - position
  return { state: 'stored', rows, advance, size: limit, isLast, total }
}

/** @returns the page as failed; @throws that it is to be asked again, for less where that may help. */
async function afterTrouble(
  deps: ExtractTypeActivityDeps,
  question: SourceQuestion,
  type: ContentType,
  key: PageKey,
  { error, asked }: { readonly error: unknown; readonly asked: number },
): Promise<PageResult> {
  const { baseUrl: url } = question.run.profile
  const trouble = sourceTrouble(deps, error, question)
  const smaller = trouble.isTooMuch ? smallerSize(type.paginator, asked) : null
  const retryInMs = smaller === null ? trouble.retryInMs : backOffMs(deps, { url }, 1)
  const noted = { ...trouble, retryInMs, size: smaller ?? asked, worker: workerName }
  spanNow()?.fail(trouble.code)
  await onceStored(() => notePageTrouble(deps.db, key, asked, noted))
  deps.metrics.page(question.run.source, retryInMs === null ? 'failed' : 'retried', 0)
  if (retryInMs !== null) throw askLater(retryInMs)
  return { state: 'failed', rows: 0, advance: asked, size: asked, isLast: false, total: null }
}

function askLater(delayMs: number): unknown {
  return waitFailure('retry_later', 'A page is to be asked again.', delayMs)
}
