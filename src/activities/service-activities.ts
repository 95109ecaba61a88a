import { cancellationSignal } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { afterFailure, silentMs } from '../core/domain-silence.ts'
import { domainKey } from '../core/domain-key.ts'
import type { RequestBooks } from '../core/limiter/permit.ts'
import { retryDelayMs } from '../core/retry-delay.ts'
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
import type { Exchange } from '../http/exchange-record.ts'
import type { LookupResult } from '../http/reconciliation/lookup-result.ts'
import { defaultBatchSize } from '../http/reconciliation/reconciliation-client.ts'
import type { ServiceActivities } from './activity-contracts.ts'
import { withHeartbeat } from './heartbeat.ts'
import { recordExchange } from './record-exchange.ts'
import { loadRunSettings, type RunSettings } from './run-settings.ts'
import type { KnownService, ServiceDirectory } from './service-directory.ts'
import type { ServiceVersions } from './service-versions.ts'
import {
  outsideWaitFailure,
  pausedFailure,
  waitFailure,
  withFailures,
  withHint,
} from './to-failure.ts'

/** How long until we look again whether another task has got the answer both need. */
const ASKED_ELSEWHERE_MS = 2_000
const LEAST_WAIT_MS = 1_000
/** The cancellation itself comes from Temporal, and ends the wait. */
const CANCELLED_WITHIN_MS = 5_000

export interface ServiceActivityDeps {
  readonly db: Db
  readonly services: ServiceDirectory
  readonly versions: ServiceVersions
  readonly books: Pick<RequestBooks, 'takeRetry'>
  /** Wall clock, ms since the epoch; for `giveUpAfterMs` only. */
  readonly nowMs: () => number
  /** Uniform in [0, 1). */
  readonly random: () => number
}

export function createServiceActivities(deps: ServiceActivityDeps): ServiceActivities {
  const { db, services } = deps
  return {
    checkService: ({ runId, isProbe }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const loaded = isProbe ? await loadRunSettings(db, runId) : await guard(db, runId)
          const { service } = loaded.settings
          const known = services.find(service, loaded.run.projectId)
          try {
            const manifest = await readManifest(deps, known, { runId, task: 0 }, true)
            await rememberService(db, service, manifest)
            return { batchSize: manifest.batchSize ?? defaultBatchSize }
          } catch (error) {
            // After so long without an answer the tasks go ahead and say `domain_unavailable` for each record.
            if (isGivenUp(deps, known, loaded, error)) return { batchSize: defaultBatchSize }
            throw afterOutsideError(deps, error)
          }
        }),
      ),

    askLookups: ({ runId, task, position }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const key = { runId, task }
          const loaded = await guard(db, runId)
          if (loaded.run.options.rescore) return { asked: 0 }
          const known = services.find(loaded.settings.service, loaded.run.projectId)
          const { claimed } = await claimLookups(db, key, position)
          const due = claimed.filter((lookup) => lookup.waitMs === 0)
          try {
            if (due.length > 0) await ask(deps, known, loaded, key, due)
          } catch (error) {
            if (!(error instanceof OutsideCallError)) throw error
            if (isGivenUp(deps, known, loaded, error)) {
              await failAll(db, runId, claimed, error)
            } else if (error.kind !== 'transient') {
              throw afterOutsideError(deps, error)
            }
          }
          await waitForTheRest(db, key, position)
          return { asked: due.length }
        }),
      ),
  }
}

/** The fetch guard: nothing is asked for a run that is closed, being cancelled or paused. */
async function guard(db: Db, runId: number): Promise<RunSettings> {
  const loaded = await loadRunSettings(db, runId)
  if (loaded.run.status !== 'open') {
    throw ApplicationFailure.nonRetryable(`Run ${runId} is closed.`, 'run_closed')
  }
  if (loaded.run.isCancelRequested) {
    throw waitFailure('run_cancelling', `Run ${runId} is being cancelled.`, CANCELLED_WITHIN_MS)
  }
  if (loaded.run.pausedReason !== null) throw pausedFailure(loaded.run.pausedReason)
  return loaded
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
  const manifest = await readManifest(deps, known, key, false)
  const serviceVersionId = await versions.idOf(settings.service, manifest)
  await known.client.ask(due, {
    signal: cancellationSignal(),
    batchSize: manifest.batchSize ?? defaultBatchSize,
    onAttempt: async (attempt) => {
      await recordExchange(db, key, attempt, attempt.lookupIds)
      // What was answered is stored before anything can stop the task.
      if (attempt.kind !== 'ok' && attempt.kind !== 'cancelled') await guard(db, run.id)
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
      await guard(db, run.id)
    },
  })
}

function failureOf(
  { books, random }: ServiceActivityDeps,
  { url }: KnownService,
  { id, error }: Extract<LookupResult, { status: 'failed' }>,
  {
    attemptsBefore,
    maxAttempts,
  }: { readonly attemptsBefore: number; readonly maxAttempts: number },
): LookupFailure {
  const attempts = attemptsBefore + 1
  const isFinal = error.kind === 'permanent' || attempts >= maxAttempts
  const backOffMs = (): number => {
    const onceMs = retryDelayMs(attempts, random())
    return books.takeRetry(domainKey(url)) ? onceMs : onceMs + retryDelayMs(attempts, random())
  }
  return {
    lookupId: id,
    kind: error.kind,
    code: error.code,
    message: error.message,
    retryInMs: isFinal ? null : backOffMs(),
  }
}

/** Gives the slot back until the next lookup is due; returns when every one is answered or has failed. */
async function waitForTheRest(db: Db, key: TaskKey, position: number): Promise<void> {
  const { claimed, askedElsewhere } = await claimLookups(db, key, position)
  if (claimed.length > 0) {
    // One that was never sent is due at once; but a call that ended early is not repeated at once.
    const waitMs = Math.max(LEAST_WAIT_MS, Math.min(...claimed.map((lookup) => lookup.waitMs)))
    throw waitFailure('retry_later', `${claimed.length} lookups are to be asked again.`, waitMs)
  }
  if (askedElsewhere > 0) {
    throw waitFailure(
      'asked_elsewhere',
      `${askedElsewhere} lookups are being asked by another task.`,
      ASKED_ELSEWHERE_MS,
    )
  }
}

async function readManifest(
  { db }: ServiceActivityDeps,
  known: KnownService,
  key: TaskKey,
  afresh: boolean,
) {
  const exchanges: Exchange[] = []
  try {
    return await known.manifest(
      cancellationSignal(),
      (exchange) => void exchanges.push(exchange),
      afresh,
    )
  } catch (error) {
    // No record asked for it, so no record has an attempt to lose: whatever passes by itself is waited for.
    if (!(error instanceof OutsideCallError) || error.kind !== 'transient') throw error
    const { code, message, hint, status, cause } = error
    throw new OutsideCallError({ kind: 'unreachable', code, message, hint, status, cause })
  } finally {
    for (const exchange of exchanges) await recordExchange(db, key, exchange, [])
  }
}

/** What the workflow is told: to wait, costing nothing; or that the service turned the run away. */
function afterOutsideError({ random }: ServiceActivityDeps, error: unknown): unknown {
  if (!(error instanceof OutsideCallError)) return error
  if (error.kind === 'endpoint') return pausedFailure(`${error.code}: ${withHint(error)}`)
  return outsideWaitFailure(error, random())
}

/** Says nothing of the domain: our own queue, an address that was not asked, or a machine that was asleep. */
const NOT_OF_THE_DOMAIN = new Set(['no_permit_soon', 'redirect_later', 'suspended'])

/** The domain has answered nobody for longer than the run's `giveUpAfterMs` while it was asked. */
function isGivenUp(
  { nowMs }: ServiceActivityDeps,
  known: KnownService,
  { run }: RunSettings,
  error: unknown,
): boolean {
  if (!(error instanceof OutsideCallError) || NOT_OF_THE_DOMAIN.has(error.code)) return false
  if (error.kind !== 'throttled' && error.kind !== 'unreachable') return false
  known.silence = afterFailure(known.silence, nowMs())
  return silentMs(known.silence) > run.options.giveUpAfterMs
}

async function failAll(
  db: Db,
  runId: number,
  claimed: readonly ClaimedLookup[],
  error: OutsideCallError,
): Promise<void> {
  await storeFailures(
    db,
    runId,
    claimed.map(({ id }) => ({
      lookupId: id,
      kind: error.kind,
      code: 'domain_unavailable',
      message: `The service has not answered for too long; last: ${error.message}`,
      retryInMs: null,
    })),
  )
}
