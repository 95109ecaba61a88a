import { cancellationSignal } from '@temporalio/activity'
import type { Db } from '../db/connect.ts'
import {
  claimLookups,
  type ClaimedLookup,
  type LookupFailure,
  storeAnswers,
  storeFailures,
} from '../db/lookups.repo.ts'
import { rememberService } from '../db/services.repo.ts'
import type { TaskKey } from '../db/task-subjects.repo.ts'
import { OutsideCallError } from '../errors.ts'
import type { LookupResult } from '../http/reconciliation/lookup-result.ts'
import { defaultBatchSize } from '../http/reconciliation/reconciliation-client.ts'
import type { ServiceActivities } from './activity-contracts.ts'
import { withHeartbeat } from './heartbeat.ts'
import type { CheckedService, KnownService } from './known-service.ts'
import {
  afterOutsideError,
  backOffMs,
  domainUnavailable,
  isGivenUp,
  type OutsideCallDeps,
} from './outside-call.ts'
import { recordExchange } from './record-exchange.ts'
import { guardRun } from './run-guard.ts'
import { loadRunSettings, type RunSettings } from './run-settings.ts'
import type { ServiceDirectory } from './service-directory.ts'
import type { ServiceVersions } from './service-versions.ts'
import { fetchTaskItems, type MissingItems } from './task-items.ts'
import { waitFailure, withFailures } from './to-failure.ts'

/** How long until we look again whether another task has got the answer both need. */
const ASKED_ELSEWHERE_MS = 2_000
const LEAST_WAIT_MS = 1_000

export interface ServiceActivityDeps extends OutsideCallDeps {
  readonly services: ServiceDirectory
  readonly versions: ServiceVersions
}

export function createServiceActivities(deps: ServiceActivityDeps): ServiceActivities {
  const { db, services } = deps
  return {
    checkService: ({ runId, isProbe }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const { run, settings } = isProbe
            ? await loadRunSettings(db, runId)
            : await guardRun(db, runId)
          const { service } = settings
          const known = services.find(service, run.projectId)
          try {
            const { about, batchSize } = await check(deps, known, { runId, task: 0 }, true)
            await rememberService(db, service, about)
            return { batchSize }
          } catch (error) {
            // After so long without an answer the tasks go ahead and say `domain_unavailable` for each record.
            if (isGivenUp(deps, known, run, error)) return { batchSize: defaultBatchSize }
            throw afterOutsideError(deps, error)
          }
        }),
      ),

    askLookups: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const loaded = await guardRun(db, runId)
          if (loaded.run.options.rescore) return { asked: 0 }
          const known = services.find(loaded.settings.service, loaded.run.projectId)
          const asked = await askDue(deps, known, loaded, key, position)
          const items = await fetchTaskItems(deps, known, loaded, key, position).catch(
            (error: unknown) => {
              throw afterOutsideError(deps, error)
            },
          )
          await waitForTheRest(db, key, position, items)
          return { asked }
        }),
      ),
  }
}

/** @returns how many lookups were due. */
async function askDue(
  deps: ServiceActivityDeps,
  known: KnownService,
  loaded: RunSettings,
  key: TaskKey,
  position: number,
): Promise<number> {
  const { claimed } = await claimLookups(deps.db, key, position)
  const due = claimed.filter((lookup) => lookup.waitMs === 0)
  try {
    if (due.length > 0) await ask(deps, known, loaded, key, due)
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
  return due.length
}

async function ask(
  deps: ServiceActivityDeps,
  known: KnownService,
  { run, settings }: RunSettings,
  key: TaskKey,
  due: readonly ClaimedLookup[],
): Promise<void> {
  const { db, versions } = deps
  const attemptsOf = new Map(due.map(({ id, attempts }) => [id, attempts]))
  const { about, batchSize } = await check(deps, known, key, false)
  const serviceVersionId = await versions.idOf(settings.service, about)
  await known.ask(due, {
    signal: cancellationSignal(),
    batchSize,
    onAttempt: async (attempt) => {
      await recordExchange(db, key, attempt, attempt.lookupIds)
      // What was answered is stored before anything can stop the task.
      if (attempt.kind !== 'ok' && attempt.kind !== 'cancelled') await guardRun(db, run.id)
    },
    onAnswer: async (results) => {
      known.silence = null
      await storeAnswers(
        db,
        results.flatMap((result) =>
          result.status === 'answered' ? [{ ...result, serviceVersionId }] : [],
        ),
      )
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
      await storeFailures(db, run.id, failures)
      await guardRun(db, run.id)
    },
  })
}

function failureOf(
  deps: ServiceActivityDeps,
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
      `${askedElsewhere} lookups and ${items.askedElsewhere} items are being asked for by another task.`,
      ASKED_ELSEWHERE_MS,
    )
  }
}

async function check(
  { db }: ServiceActivityDeps,
  known: KnownService,
  key: TaskKey,
  afresh: boolean,
): Promise<CheckedService> {
  try {
    return await known.check(
      {
        signal: cancellationSignal(),
        onExchange: (exchange) => recordExchange(db, key, exchange, []),
      },
      afresh,
    )
  } catch (error) {
    // No record asked for it, so no record has an attempt to lose: whatever passes by itself is waited for.
    if (!(error instanceof OutsideCallError) || error.kind !== 'transient') throw error
    const { code, message, hint, status, cause } = error
    throw new OutsideCallError({ kind: 'unreachable', code, message, hint, status, cause })
  }
}
