/** Asks what a task's records miss; each answer is stored at once, so that a retry asks only what is missing. */
import { cancellationSignal } from '@temporalio/activity'
import type { Db } from '../db/connect.ts'
import {
  claimLookups,
  type ClaimedLookup,
  type LookupFailure,
  storeAnswers,
  storeFailures,
} from '../db/lookups.repo.ts'
import type { TaskKey } from '../db/task-subjects.repo.ts'
import { OutsideCallError } from '../errors.ts'
import type { LookupResult } from '../http/reconciliation/lookup-result.ts'
import { checkKnown } from './check-known.ts'
import type { KnownService } from './known-service.ts'
import {
  afterOutsideError,
  backOffMs,
  domainUnavailable,
  isGivenUp,
  type OutsideCallDeps,
} from './outside-call.ts'
import { onceStored } from './once-stored.ts'
import { keepAttempts } from './record-exchange.ts'
import { guardRun } from './run-guard.ts'
import type { RunSettings } from './run-settings.ts'
import type { ServiceDirectory } from './service-directory.ts'
import type { ServiceVersions } from './service-versions.ts'
import { fetchTaskItems, type MissingItems } from './task-items.ts'
import { waitFailure } from './to-failure.ts'
import { counted } from '../core/counted.ts'

/** How long until we look again whether another task has got the answer both need. */
const ASKED_ELSEWHERE_MS = 2_000
const LEAST_WAIT_MS = 1_000

export interface AskDeps extends OutsideCallDeps {
  readonly services: ServiceDirectory
  readonly versions: ServiceVersions
}

/**
 * Returns when everything up to this name position is answered or has failed for good.
 * @returns how many lookups were due
 * @throws what makes the activity wait, or tells its workflow that the run stands still
 */
export async function askTask(
  deps: AskDeps,
  loaded: RunSettings,
  key: TaskKey,
  position: number,
): Promise<number> {
  if (loaded.run.options.rescore) return 0
  const known = deps.services.find(loaded.settings.service, loaded.run.projectId)
  const { asked, isRest } = await askDue(deps, known, loaded, key, position)
  const items = await fetchTaskItems(deps, known, loaded, key, position).catch((error: unknown) => {
    throw afterOutsideError(deps, error)
  })
  const isComplete = !isRest && items.waitMs === null && items.askedElsewhere === 0
  if (!isComplete) await waitForTheRest(deps.db, key, position, items)
  return asked
}

/** @returns how many lookups were due, and whether one may be left that is neither answered nor has failed for good. */
async function askDue(
  deps: AskDeps,
  known: KnownService,
  loaded: RunSettings,
  key: TaskKey,
  position: number,
): Promise<{ readonly asked: number; readonly isRest: boolean }> {
  const { claimed, askedElsewhere } = await claimLookups(deps.db, key, position)
  const due = claimed.filter((lookup) => lookup.waitMs === 0)
  let settled = 0
  try {
    if (due.length > 0) settled = await ask(deps, known, loaded, key, due)
  } catch (error) {
    if (!(error instanceof OutsideCallError)) throw error
    if (isGivenUp(deps, known, loaded.run, error)) {
      const failed = domainUnavailable(error)
      const failures = claimed.map(({ id }) => ({ lookupId: id, ...failed }))
      await storeFailures(deps.db, key.runId, failures)
    } else if (error.kind !== 'transient') {
      throw afterOutsideError(deps, error)
    }
  }
  return { asked: due.length, isRest: settled < claimed.length || askedElsewhere > 0 }
}

/** @returns how many were answered or have failed for good */
async function ask(
  deps: AskDeps,
  known: KnownService,
  { run, settings }: RunSettings,
  key: TaskKey,
  due: readonly ClaimedLookup[],
): Promise<number> {
  const { db, versions } = deps
  let settled = 0
  const attemptsOf = new Map(due.map(({ id, attempts }) => [id, attempts]))
  const { about, batchSize } = await checkKnown(deps, known, key, false)
  const serviceVersionId = await versions.idOf(settings.service, about)
  const kept = keepAttempts(db, key)
  await known.ask(due, {
    signal: cancellationSignal(),
    batchSize,
    onAttempt: async (attempt) => {
      await kept.keep(attempt, attempt.lookupIds)
      // What was answered is stored before anything can stop the task.
      if (attempt.kind !== 'ok' && attempt.kind !== 'cancelled') await guardRun(db, run.id)
    },
    onAnswer: async (results) => {
      known.silence = null
      const answers = results.flatMap((result) =>
        result.status === 'answered' ? [{ ...result, serviceVersionId }] : [],
      )
      await onceStored(() => storeAnswers(db, answers))
      const failures = results.flatMap((result) =>
        result.status === 'failed'
          ? [
              failureOf(deps, known, result, {
                attemptsBefore: attemptsOf.get(result.id) ?? 0,
                maxAttempts: run.options.maxAttempts,
              }),
            ]
          : [],
      )
      await onceStored(() => storeFailures(db, run.id, failures))
      const postponed = failures.filter(({ retryInMs }) => retryInMs !== null)
      settled += results.length - postponed.length
      kept.assertKept()
      await guardRun(db, run.id)
    },
  })
  kept.assertKept()
  return settled
}

function failureOf(
  deps: AskDeps,
  known: KnownService,
  { id, error }: Extract<LookupResult, { status: 'failed' }>,
  {
    attemptsBefore,
    maxAttempts,
  }: { readonly attemptsBefore: number; readonly maxAttempts: number },
): LookupFailure {
  const attempts = attemptsBefore + 1
  const isFinal = error.kind === 'permanent' || attempts >= maxAttempts
  const { kind, code, message } = error
  const retryInMs = isFinal ? null : backOffMs(deps, known, attempts)
  return { lookupId: id, kind, code, message, retryInMs }
}

/** Gives the slot back until the next question is due; returns when every one is answered or has failed. */
async function waitForTheRest(
  db: Db,
  key: TaskKey,
  position: number,
  items: MissingItems,
): Promise<void> {
  const { claimed, askedElsewhere } = await claimLookups(db, key, position)
  if (claimed.length > 0 || items.waitMs !== null) {
    // One that was never sent is due at once; but a call that ended early is not repeated at once.
    const waits = [
      ...claimed.map((lookup) => lookup.waitMs),
      ...(items.waitMs === null ? [] : [items.waitMs]),
    ]
    const waitMs = Math.max(LEAST_WAIT_MS, Math.min(...waits))
    throw waitFailure('retry_later', `${claimed.length} lookups are to be asked again.`, waitMs)
  }
  if (askedElsewhere + items.askedElsewhere > 0) {
    throw waitFailure(
      'asked_elsewhere',
      `${counted(askedElsewhere, 'question')} and ${counted(items.askedElsewhere, 'item')} are being asked for by another task.`,
      ASKED_ELSEWHERE_MS,
    )
  }
}
