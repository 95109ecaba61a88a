import { type Client, type WorkflowHandle } from '@temporalio/client'
import { canonicalText } from '../../core/canonical-text.ts'
import { extractId, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import type { Db } from '../../db/connect.ts'
import {
  createExtractRun,
  type ExtractRun,
  type NewExtractRun,
  openExtractRun,
} from '../../db/extract-runs.repo.ts'
import { UsageError } from '../../errors.ts'
import type { extractSource } from '../../workflows/extract-source.ts'
import { reconciledExtraction } from './reconcile-extraction.ts'

export type ExtractHandle = WorkflowHandle<typeof extractSource>

export interface StartedExtraction {
  readonly runId: number
  readonly handle: ExtractHandle
  /** True when an equal run was open already and this start joined it. */
  readonly attached: boolean
}

/**
 * Starts an extraction, or joins the open one with equal settings.
 * @param taskQueue only tests use another
 * @throws UsageError `other_run_open` when the source is being extracted otherwise, or another into the same dataset
 */
export async function startExtraction(
  client: Client,
  db: Db,
  wanted: NewExtractRun,
  taskQueue: string = WORK_TASK_QUEUE,
): Promise<StartedExtraction> {
  for (;;) {
    const open = await openExtractRun(db, { source: wanted.profile.name, dataset: wanted.dataset })
    const standing = open && (await reconciledExtraction(client, db, open.id))
    if (standing?.status === 'open') {
      if (!isEqual(standing, wanted)) throw otherRunOpen(standing)
      const handle =
        standing.temporalRunId === null
          ? await beginExtraction(client, standing.id, taskQueue)
          : client.workflow.getHandle<typeof extractSource>(extractId(standing.id))
      return { runId: standing.id, handle, attached: true }
    }
    const runId = await createExtractRun(db, wanted)
    // undefined: somebody else was faster, and is joined or refused.
    if (runId !== undefined) {
      return { runId, handle: await beginExtraction(client, runId, taskQueue), attached: false }
    }
  }
}

/** Starts the workflow of an open run, unless it runs. */
export async function beginExtraction(
  client: Client,
  runId: number,
  taskQueue: string = WORK_TASK_QUEUE,
): Promise<ExtractHandle> {
  return client.workflow.start<typeof extractSource>('extractSource', {
    workflowId: extractId(runId),
    taskQueue,
    args: [{ runId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Extraction ${runId}`,
    staticDetails: 'Reads the lists of a source, page by page, into datasets.',
  })
}

function isEqual(run: ExtractRun, wanted: NewExtractRun): boolean {
  const settings = ({ dataset, profile, types, options }: NewExtractRun) =>
    canonicalText({ dataset, profile, types, options })
  return settings(run) === settings(wanted)
}

function otherRunOpen(run: ExtractRun): UsageError {
  return new UsageError({
    code: 'other_run_open',
    message: `Extraction ${run.id} of ${run.source} into "${run.dataset}" goes on with other settings.`,
    hint:
      `Follow it with: ./record-linker extract status ${run.id} --watch\n` +
      `or stop it with: ./record-linker extract cancel ${run.id}`,
  })
}
