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
import { condition, continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { ExtractTypeActivities } from '../activities/activity-contracts.ts'
import type { ExtractTypeInput, OpenedType } from '../core/extract/extract-run.ts'
import {
  isPlanDone,
  openPlan,
  pageDone,
  type PageRange,
  type PageResult,
  takeRange,
} from '../core/extract/page-plan.ts'
import { databaseProfile, outsideProfile } from './activity-options.ts'
import { runPages } from './page-window.ts'
import { createResumeGate, type ResumeGate } from './resume-gate.ts'
import { untilLetIn } from './until-let-in.ts'

const { openType } = proxyActivities<ExtractTypeActivities>(databaseProfile)
const { extractPage, extractDetails, finishType } =
  proxyActivities<ExtractTypeActivities>(outsideProfile)

export async function extractContentType(input: ExtractTypeInput): Promise<void> {
  const { runId, type, pagesPerExecution } = input
  const gate = createResumeGate(input.resumes)
  const opened = await openType({ runId, type })
  if (!opened.isListed) {
    const pages = opened.isChained
      ? await readChained(gate, input, opened)
      : await readNumbered(gate, input, opened)
    if (pages >= pagesPerExecution) {
      await continueAsNew<typeof extractContentType>({ ...input, resumes: gate.resumes })
    }
  }
  const { rereads = 0 } = input
  if ((await finishType({ runId, type, mayReread: rereads > 0 })) === 'reread') {
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
  let limit = size
  for (let pages = 1; ; pages += 1) {
    await condition(() => gate.isOpen)
    const range = { position: next + pages - 1, limit }
    const result = await readPage(gate, input, range, hasDetails)
    tellDone(input, pages)
    if (result.state === 'failed' || result.isLast) return 0
    limit = Math.min(limit, result.size)
    if (pages >= input.pagesPerExecution) return pages
  }
}

/** @returns as `readChained` */
async function readNumbered(
  gate: ResumeGate,
  input: ExtractTypeInput,
  { next, size, hasDetails }: OpenedType,
): Promise<number> {
  let plan = openPlan(next, size)
  let pages = 0
  const isFull = () => pages >= input.pagesPerExecution
  await runPages<PageRange>({
    size: () => input.workers,
    mayStart: () => gate.isOpen,
    isDone: () => isPlanDone(plan) || (isFull() && plan.inFlight.length === 0),
    take() {
      const taken = isFull() ? null : takeRange(plan, input.queueSize)
      if (taken === null) return null
      ;({ plan } = taken)
      return taken.range
    },
    async run(range) {
      const result = await readPage(gate, input, range, hasDetails)
      plan = pageDone(plan, range, result)
      pages += 1
      tellDone(input, pages)
    },
  })
  return isPlanDone(plan) ? 0 : pages
}

async function readPage(
  gate: ResumeGate,
  input: ExtractTypeInput,
  range: PageRange,
  hasDetails: boolean,
): Promise<PageResult> {
  const { runId, type, rootWorkflowId } = input
  const { position } = range
  const result = await untilLetIn(gate, rootWorkflowId, () =>
    extractPage({ runId, type, ...range }),
  )
  if (hasDetails && result.state === 'stored' && result.rows > 0) {
    await untilLetIn(gate, rootWorkflowId, () => extractDetails({ runId, type, position }))
  }
  return result
}

// Shown by the Temporal UI.
function tellDone({ runId, type }: ExtractTypeInput, pages: number): void {
  setCurrentDetails(`**Reading** ${type} of extraction ${runId}: ${pages} pages by this execution.`)
}
