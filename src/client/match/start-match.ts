import {
  type Client,
  type WorkflowHandle,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client'
import { TypedSearchAttributes } from '@temporalio/common'
import { z } from 'zod'
import type { MatchProjectInput } from '../../core/match-run.ts'
import { type FailedPick, pickedStatuses, type RunOptions } from '../../core/run.ts'
import { matchProjectId, WORK_TASK_QUEUE } from '../../core/workflow-ids.ts'
import { sha256Hex } from '../../db/sha256.ts'
import { UsageError } from '../../errors.ts'
import type { matchProject } from '../../workflows/match-project.ts'
import { projectAttribute, statusAttribute } from '../../workflows/search-attributes.ts'
import { ageText } from './answer-age.ts'
import { firstRunId } from './first-run-id.ts'

export type MatchHandle = WorkflowHandle<typeof matchProject>

export interface StartRequest {
  readonly projectId: number
  readonly projectName: string
  readonly settingsRevision: number
  readonly options: RunOptions
  /** Default `record-linker`. */
  readonly taskQueue?: string
}

export interface StartedMatch {
  readonly handle: MatchHandle
  /** Temporal's first run id: the run row carries it. */
  readonly temporalRunId: string
  /** True when an equal run was running already and this start joined it. */
  readonly attached: boolean
}

const codes = z.array(z.string()).readonly().nullable()
/** The input has the ids; once more in the memo, hundreds of them would make the first event too large. */
const pickIdentity = z.object({
  codes,
  subjects: z.object({ count: z.number(), sha256: z.string() }).nullable(),
})
type PickIdentity = z.infer<typeof pickIdentity>
const pickedIds = z.object({ codes, subjectIds: z.array(z.number()).readonly().nullable() })

/** What two starts must have in common to be the same run; kept in the workflow's memo. */
const startIdentity = z.object({
  settingsRevision: z.number(),
  options: z.object({
    limit: z.number().nullable(),
    sample: z.object({ size: z.number(), seed: z.number() }).nullable(),
    entriesPerTask: z.number().nullable(),
    maxAttempts: z.number(),
    retryFailed: z.boolean(),
    // Earlier versions wrote the ids.
    failed: z
      .union([pickIdentity, pickedIds.transform(identityOfPick)])
      .nullable()
      .default(null),
    // Runs of an earlier version go on without them.
    only: z.array(z.enum(pickedStatuses)).readonly().nullable().default(null),
    rescore: z.boolean().default(false),
    giveUpAfterMs: z.number(),
    refreshOlderThanMs: z.number().nullable().default(null),
    endActionId: z.number().nullable().default(null),
  }),
})
type StartIdentity = Readonly<z.infer<typeof startIdentity>>

/**
 * Starts the match of a project, or joins the one that runs with equal options. The client writes nothing of the run:
 * the workflow does (DESIGN §2.1).
 * @throws UsageError `other_run_open` when it runs with other options or settings; both are shown.
 */
export async function startMatch(client: Client, request: StartRequest): Promise<StartedMatch> {
  try {
    return await startWith(client, request, true)
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) {
      // Servers that know no custom search attributes refuse the start; it works without them.
      if (!isSearchAttributeRefusal(error)) throw error
      return startWith(client, request, false).catch((again: unknown) => {
        if (again instanceof WorkflowExecutionAlreadyStartedError) return attach(client, request)
        throw again
      })
    }
    return attach(client, request)
  }
}

async function startWith(
  client: Client,
  request: StartRequest,
  searchAttributes: boolean,
): Promise<StartedMatch> {
  const { projectId, settingsRevision, options } = request
  const input: MatchProjectInput = { projectId, settingsRevision, options, searchAttributes }
  const identity = identityOf(request)
  const handle = await client.workflow.start<typeof matchProject>('matchProject', {
    workflowId: matchProjectId(projectId),
    taskQueue: request.taskQueue ?? WORK_TASK_QUEUE,
    args: [input],
    memo: { identity },
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: `Match project ${projectId}`,
    staticDetails: `Matches the records of **${request.projectName}** under settings ${settingsRevision}.`,
    ...(searchAttributes
      ? {
          typedSearchAttributes: new TypedSearchAttributes([
            { key: projectAttribute, value: projectId },
            { key: statusAttribute, value: 'running' },
          ]),
        }
      : {}),
  })
  return { handle, temporalRunId: handle.firstExecutionRunId, attached: false }
}

async function attach(client: Client, request: StartRequest): Promise<StartedMatch> {
  const handle = client.workflow.getHandle<typeof matchProject>(matchProjectId(request.projectId))
  const description = await handle.describe()
  // It has ended since: this start is not too late, it is the next one.
  if (description.status.name !== 'RUNNING') return startMatch(client, request)
  const running = startIdentity.safeParse(description.memo?.['identity']).data
  const wanted = identityOf(request)
  if (running === undefined || !isSameRun(running, wanted)) {
    throw new UsageError({
      code: 'other_run_open',
      message:
        `Project ${request.projectId} is being matched with other settings.\n` +
        `  running: ${identityText(running)}\n  asked:   ${identityText(wanted)}`,
      hint:
        `Follow it with: ./record-linker status --project ${request.projectId} --watch\n` +
        `or stop it with: ./record-linker cancel-match --project ${request.projectId}`,
    })
  }
  const temporalRunId = firstRunId(description)
  return { handle, temporalRunId, attached: true }
}

function identityOf({ settingsRevision, options }: StartRequest): StartIdentity {
  const { refreshOlderThanMs = null, failed = null, endActionId = null } = options
  const named = failed === null ? null : identityOfPick(failed)
  return {
    settingsRevision,
    options: { ...options, refreshOlderThanMs, failed: named, endActionId },
  }
}

function identityOfPick({ codes, subjectIds }: FailedPick): PickIdentity {
  if (subjectIds === null) return { codes, subjects: null }
  return { codes, subjects: { count: subjectIds.length, sha256: sha256Hex(subjectIds.join(' ')) } }
}

function identityText(identity: StartIdentity | undefined): string {
  if (identity === undefined) return 'unknown'
  const {
    limit,
    sample,
    entriesPerTask,
    maxAttempts,
    retryFailed,
    failed,
    only,
    rescore,
    giveUpAfterMs,
    refreshOlderThanMs,
    endActionId,
  } = identity.options
  if (rescore) return `settings revision ${identity.settingsRevision}, rescore, asking nobody`
  return [
    `settings revision ${identity.settingsRevision}`,
    sample === null
      ? limit === null
        ? 'all records'
        : `first ${limit}`
      : `sample of ${sample.size} (seed ${sample.seed})`,
    ...(entriesPerTask === null ? [] : [`${entriesPerTask} per task`]),
    `${maxAttempts} attempts`,
    `gives up after ${giveUpAfterMs / 3_600_000} h`,
    ...(failed === null ? (retryFailed ? ['retries failed'] : []) : [failedText(failed)]),
    ...(refreshOlderThanMs === null
      ? []
      : [`refreshes answers older than ${ageText(refreshOlderThanMs)}`]),
    ...(only === null ? [] : [`only ${only.join(', ')}`]),
    ...(endActionId === null ? [] : [`at its end action ${endActionId}`]),
  ].join(', ')
}

function failedText({ codes, subjects }: PickIdentity): string {
  const which = [
    ...(subjects === null ? [] : [`${subjects.count} named ones`]),
    ...(codes === null ? [] : [`those with ${codes.join(', ')}`]),
  ]
  return `retries of the failed only ${which.join(' and ')}`
}

/** Who says nothing of the end joins a run whatever it does then. */
function isSameRun(running: StartIdentity, wanted: StartIdentity): boolean {
  if (wanted.options.endActionId !== null) return isEqual(running, wanted)
  return isEqual({ ...running, options: { ...running.options, endActionId: null } }, wanted)
}

function isEqual(a: StartIdentity, b: StartIdentity): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function isSearchAttributeRefusal(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${String(error.cause)}` : ''
  return /search attribute/i.test(text)
}
