/**
 * One way to a file, from the stored answer to the store.
 *
 *   stored and fresh ──▶ used
 *   stored and stale ──▶ asked with conditions ── 304 ──▶ used ── another one is meant ──▶ asked without
 *   nothing ───────────▶ asked ──▶ slots ──▶ received, checked ──▶ put into the store
 *
 * Only one of those that want the same address asks; the others find its answer stored.
 */
import type { ArtifactPlan } from '../core/download/artifact-plan.ts'
import type { QueueOptions } from '../core/download/queue-options.ts'
import { domainKey } from '../core/domain-key.ts'
import type { Slots } from '../db/advisory-slots.ts'
import type { Db } from '../db/connect.ts'
import type { CachedAnswer } from '../db/http-cache.repo.ts'
import type { JobAttempt, JobResult } from '../db/job-attempts.repo.ts'
import type { FetchedArtifact, FetchedBody } from '../http/download/artifact-fetcher.ts'
import { DownloadError } from '../http/download/download-error.ts'
import {
  answerToKeep,
  cacheKey,
  lookUp,
  maySubstitute,
  remember,
  revalidated,
} from '../store/artifact-cache.ts'
import type { Finish } from './attempt-desk.ts'
import type { AttemptLog } from './attempt-log.ts'
import { isExpected } from './cached-content.ts'
import type { OpenedTools } from './download-tools.ts'
import { createSlotHold } from './slot-hold.ts'

export interface PlanContext extends OpenedTools {
  readonly db: Db
  readonly slots: Slots
  readonly options: QueueOptions
  readonly job: JobAttempt
  readonly log: AttemptLog
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly onProgress: (bytesDone: number) => void
  /** Stored answers of an address, the latest first; looked up together with what others want. */
  readonly answersOf: (urlKey: Buffer) => Promise<readonly CachedAnswer[]>
  /** Before a request of another way. @throws StandsStillError */
  readonly mayAsk: () => Promise<void>
  /** Ends the attempt with this content, together with others. @throws where the attempt has lost its job */
  readonly finishTogether: (
    result: JobResult,
    content: Pick<Finish, 'type' | 'answer' | 'used'>,
  ) => Promise<void>
  /** As `finishTogether`, in one transaction with what else is to be written. */
  readonly finish: (result: JobResult, refer: (tx: Db) => Promise<string>) => Promise<void>
}

/** How long the same address may be asked by somebody else, ms, until the job gives its place to another. */
const SAME_ADDRESS_MS = 20_000

/** Fetches by one plan, and ends the attempt. @throws why it did not come */
export async function fetchPlan(context: PlanContext, plan: ArtifactPlan): Promise<void> {
  const { slots, signal } = context
  const key = `address/${cacheKey(plan).toString('hex')}`
  const leave = await slots.take([{ key, cap: 1 }], { signal, waitMs: SAME_ADDRESS_MS })
  try {
    await fetchAlone(context, plan)
  } finally {
    leave()
  }
}

async function fetchAlone(context: PlanContext, plan: ArtifactPlan): Promise<void> {
  const { db, store, options, nowMs, answersOf } = context
  const { cache, maxAgeMs } = options
  const found = await lookUp(
    db,
    store,
    { request: plan, nowMs: nowMs() },
    {
      force: cache === 'force',
      offline: cache === 'offline',
      ...(maxAgeMs === null ? {} : { maxAgeMs }),
    },
    // It is noted with the end of the attempt.
    { note: async () => undefined, answersOf },
  )
  const hasAnswer = found.kind !== 'none' || found.why !== 'absent'
  const entry =
    found.kind !== 'none' && (await isExpected(store, found.entry, plan)) ? found.entry : undefined
  if (entry !== undefined && found.kind === 'hit') {
    return useEntry(context, plan, entry, found.isStale ? 'stale' : 'hit')
  }
  if (cache === 'offline') {
    throw new DownloadError({
      reason: 'not-stored',
      message: 'Nothing may be asked, and no stored answer of this address is there to be used.',
    })
  }
  const conditional =
    entry !== undefined && found.kind === 'revalidate' ? found.conditional : undefined
  let fetched: FetchedArtifact
  try {
    fetched = await transfer(context, plan, conditional)
  } catch (error) {
    const trouble = error instanceof DownloadError ? (error.status ?? null) : undefined
    if (entry === undefined || trouble === undefined) throw error
    if (!maySubstitute(entry, trouble, nowMs())) throw error
    return useEntry(context, plan, entry, 'stale')
  }
  if (fetched.kind === 'body') return keepBody(context, plan, fetched, hasAnswer)
  if (entry !== undefined && (await keepUnchanged(context, plan, entry, fetched.headers))) return
  const again = await transfer(context, plan, undefined)
  if (again.kind === 'body') return keepBody(context, plan, again, hasAnswer)
  throw new DownloadError({
    reason: 'unexpected-not-modified',
    message: 'The host answered 304 to a request without conditions; expected the file.',
  })
}

async function transfer(
  { fetcher, slots, options, job, log, signal, onProgress, mayAsk }: PlanContext,
  plan: ArtifactPlan,
  conditional: Readonly<Record<string, string>> | undefined,
): Promise<FetchedArtifact> {
  const { resolver } = plan
  const resolverCap = options.maxPerResolver[resolver] ?? options.resolverDefault
  const { maxPerHost: hostCap, groupHosts } = options
  const caps = { resolver, resolverCap, hostCap, groupHosts }
  const hold = createSlotHold(slots, caps, signal)
  try {
    // A host counts a request from its beginning, so its slot is there before.
    await hold.take(domainKey(plan.url))
    await mayAsk()
    log.enter('stream')
    return await fetcher.fetch(plan, {
      signal,
      project: `download/${job.queue}`,
      attempt: job.attempt,
      token: job.token,
      ...(conditional === undefined ? {} : { conditional }),
      takeSlots: (host) => hold.take(host),
      onProgress,
      onExchange: (exchange) => log.exchange(exchange),
    })
  } finally {
    hold.release()
  }
}

/** @param hasAnswer an answer of the same address may be stored, and is to go where this one is not kept */
async function keepBody(
  context: PlanContext,
  plan: ArtifactPlan,
  body: FetchedBody,
  hasAnswer: boolean,
): Promise<void> {
  const { store, nowMs, log, finish, finishTogether, isSealing: isSealed } = context
  log.enter('finalize')
  const { tempPath: path, sha256, bytes, detectedType: type } = body
  await store.put({ path, sha256, bytes, type, isSealed })
  const { status, headers, finalUrl } = body
  const shownUrl = withoutSecrets(plan.url)
  const answer = { status, headers, isRedirected: finalUrl !== shownUrl }
  const call = { request: plan, nowMs: nowMs(), answer, shownUrl, finalUrl }
  const result = {
    sha256,
    bytes,
    contentType: type ?? body.declaredType,
    finalUrl,
    httpStatus: status,
    cacheStatus: 'stored',
    displayName: body.displayName,
    licence: plan.licence ?? null,
  }
  const kept = answerToKeep(call, sha256)
  if (kept !== undefined || !hasAnswer) {
    const cacheStatus = kept === undefined ? 'bypass' : 'stored'
    log.stored(bytes, cacheStatus)
    return finishTogether({ ...result, cacheStatus }, { type, answer: kept })
  }
  await finish(result, async (tx) => {
    const cacheStatus = await remember(tx, store, call, { sha256, bytes, type })
    log.stored(bytes, cacheStatus)
    return cacheStatus
  })
}

/** Takes back a transaction. */
class Refetch extends Error {}

/** @returns false: the host meant another content than the stored one */
async function keepUnchanged(
  context: PlanContext,
  plan: ArtifactPlan,
  entry: CachedAnswer,
  headers: FetchedBody['headers'],
): Promise<boolean> {
  const { store, nowMs, log, finish } = context
  log.enter('finalize')
  const shownUrl = withoutSecrets(plan.url)
  const call = {
    request: plan,
    nowMs: nowMs(),
    answer: { status: 304, headers },
    shownUrl,
    finalUrl: null,
  }
  try {
    await finish({ ...resultOf(plan, entry), httpStatus: 304 }, async (tx) => {
      if ((await revalidated(tx, store, call, entry)) === 'refetch') throw new Refetch()
      log.stored(entry.bytes, 'revalidated')
      return 'revalidated'
    })
    return true
  } catch (error) {
    if (error instanceof Refetch) return false
    throw error
  }
}

async function useEntry(
  context: PlanContext,
  plan: ArtifactPlan,
  entry: CachedAnswer,
  cacheStatus: 'hit' | 'stale',
): Promise<void> {
  const { log, nowMs, finishTogether } = context
  log.enter('finalize')
  const host = domainKey(plan.url)
  log.cached({ verb: 'cache-hit', host, bytes: entry.bytes, cacheStatus })
  const used = { id: entry.id, nowMs: nowMs() }
  await finishTogether({ ...resultOf(plan, entry), cacheStatus }, { type: entry.type, used })
}

function resultOf(plan: ArtifactPlan, entry: CachedAnswer): JobResult {
  return {
    sha256: entry.sha256,
    bytes: entry.bytes,
    contentType: entry.type,
    finalUrl: entry.finalUrl ?? withoutSecrets(plan.url),
    httpStatus: null,
    cacheStatus: 'hit',
    displayName: null,
    licence: plan.licence ?? null,
  }
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
