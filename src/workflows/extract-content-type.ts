/**
 * One content type of an extraction: its list page by page, then its items landed.
 *
 *   where does it stand? ── listed ──▶ finish ── the list changed meanwhile ──▶ forgotten; continue as new
 *        └── pages ──▶ (for each: read, then the details of its items) ── the last one stored ──▶ finish
 *              └── many pages done ──▶ continue as new, when none is on its way
 *
 * Numbered pages are read side by side (`core/extract/page-plan.ts`), chained ones one after the other. Which page comes
 * next is always found in what is stored, so an execution that is killed, or starts again, asks no stored page again.
 */
import {
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow'
import type { ExtractTypeActivities } from '../activities/activity-contracts.ts'
import type { ExtractTypeInput, OpenedType } from '../core/extract/extract-run.ts'
import {
  isPlanDone,
  MOST_IN_TURN,
  openPlan,
  pagesDone,
  type PageRange,
  type PageResult,
  takeRanges,
} from '../core/extract/page-plan.ts'
import { databaseProfile, outsideProfile } from './activity-options.ts'
import { throwCancellation } from './cancel-wins.ts'
import { runPages } from './page-window.ts'
import { createResumeGate, type ResumeGate } from './resume-gate.ts'
import { untilLetIn } from './until-let-in.ts'
import { counted } from '../core/counted.ts'

const { openType } = proxyActivities<ExtractTypeActivities>(databaseProfile)
const { extractPage, extractPages, extractDetails, finishType } =
  proxyActivities<ExtractTypeActivities>(outsideProfile)

/** Mark of executions that hand out several pages of a list at a time, where its items have no details. */
const PAGES_IN_TURN = 'pages-in-turn'
/** Mark of executions that begin with all workers where the source names a total. */
const TOTAL_TRUSTED = 'total-trusted'

export async function extractContentType(input: ExtractTypeInput): Promise<void> {
  const { runId, type, pagesPerExecution } = input
  const gate = createResumeGate(input.resumes)
  const opened = await openType({ runId, type })
  if (!opened.isListed) {
    const pages = opened.isChained
      ? await readChained(gate, input, opened)
      : await readNumbered(gate, input, opened)
    if (pages >= pagesPerExecution) {
      await throwCancellation()
      await continueAsNew<typeof extractContentType>({ ...input, resumes: gate.resumes })
    }
  }
  const { rereads = 0 } = input
  if ((await finishType({ runId, type, mayReread: rereads > 0 })) === 'reread') {
    await throwCancellation()
    await continueAsNew<typeof extractContentType>({
      ...input,
      resumes: gate.resumes,
      rereads: rereads - 1,
    })
  }
}

/** @returns pages read; as many as an execution reads: there may be more */
async function readChained(
  gate: ResumeGate,
  input: ExtractTypeInput,
  { next, size, hasDetails }: OpenedType,
): Promise<number> {
  const inTurn = patched(PAGES_IN_TURN) && !hasDetails ? MOST_IN_TURN : 1
  let limit = size
  for (let pages = 0; ;) {
    await condition(() => gate.isOpen)
    const most = Math.min(inTurn, input.pagesPerExecution - pages)
    const first = next + pages
    const ranges = Array.from({ length: most }, (_, index) => ({ position: first + index, limit }))
    const results = await readPages(gate, input, ranges, hasDetails)
    pages += results.length
    tellDone(input, pages)
    const last = results.at(-1)
    if (last === undefined || last.state === 'failed' || last.isLast) return 0
    limit = Math.min(limit, last.size)
    if (pages >= input.pagesPerExecution) return pages
  }
}

/** @returns as `readChained` */
async function readNumbered(
  gate: ResumeGate,
  input: ExtractTypeInput,
  { next, size, hasDetails }: OpenedType,
): Promise<number> {
  const { workers, queueSize, pagesPerExecution } = input
  const isInTurn = patched(PAGES_IN_TURN) && !hasDetails
  let plan = openPlan(next, size, patched(TOTAL_TRUSTED))
  let pages = 0
  const isFull = () => pages >= pagesPerExecution
  await runPages<readonly PageRange[]>({
    size: () => workers,
    mayStart: () => gate.isOpen,
    isDone: () => isPlanDone(plan) || (isFull() && plan.inFlight.length === 0),
    take() {
      const taken = isFull() ? null : takeRanges(plan, queueSize, isInTurn ? workers : Infinity)
      if (taken === null) return null
      ;({ plan } = taken)
      return taken.ranges
    },
    async run(ranges) {
      const results = await readPages(gate, input, ranges, hasDetails)
      plan = pagesDone(plan, ranges, results)
      pages += results.length
      tellDone(input, pages)
    },
  })
  return isPlanDone(plan) ? 0 : pages
}

/** @returns what became of the first pages of these, at least of one */
async function readPages(
  gate: ResumeGate,
  input: ExtractTypeInput,
  ranges: readonly PageRange[],
  hasDetails: boolean,
): Promise<readonly PageResult[]> {
  const { runId, type, rootWorkflowId } = input
  const [first] = ranges
  if (first === undefined || ranges.length > 1) {
    return untilLetIn(gate, rootWorkflowId, () => extractPages({ runId, type, ranges }))
  }
  const { position } = first
  const result = await untilLetIn(gate, rootWorkflowId, () =>
    extractPage({ runId, type, ...first }),
  )
  if (hasDetails && result.state === 'stored' && result.rows > 0) {
    await untilLetIn(gate, rootWorkflowId, () => extractDetails({ runId, type, position }))
  }
  return [result]
}

// Shown by the Temporal UI.
function tellDone({ runId, type }: ExtractTypeInput, pages: number): void {
  setCurrentDetails(
    `**Reading** ${type} of extraction ${runId}: ${counted(pages, 'page')} by this execution.`,
  )
}
