/**
 * The HTTP cache of artifacts (RFC 9111): rows say what an answer allows, the store has its body. A row whose body is
 * missing or broken counts as none, and goes.
 */
import { createHash } from 'node:crypto'
import {
  type CacheAnswer,
  type CacheWishes,
  freshen,
  mayServeOnError,
  reuse,
  type ServerTrouble,
  storable,
  type StorableAnswer,
} from '../core/download/cache-decision.ts'
import { cacheKeyText, type CacheRequest, varyKeyText } from '../core/download/cache-key.ts'
import { holdBlob, type KnownBlob, putBlob } from '../db/blobs.repo.ts'
import type { Db } from '../db/connect.ts'
import {
  answersOf,
  type CachedAnswer,
  dropAnswers,
  type FreshAnswer,
  noteUse,
  putAnswer,
} from '../db/http-cache.repo.ts'
import type { BlobStore } from './blob-store.ts'
import { rehashBlob } from './rehash-blob.ts'
import { removeBrokenBlob } from './remove-broken-blob.ts'
import { StoreError } from './store-error.ts'

export type LookUp =
  /** Use its content; `isStale` only when nothing may be asked. */
  | { readonly kind: 'hit'; readonly entry: CachedAnswer; readonly isStale: boolean }
  /** Ask with these headers; the content is whole. */
  | {
      readonly kind: 'revalidate'
      readonly entry: CachedAnswer
      readonly conditional: Readonly<Record<string, string>>
    }
  /** Ask without conditions; when `offline` was wished there is nothing to be had. */
  | { readonly kind: 'none'; readonly why: 'absent' | 'forced' | 'unusable' | 'blob-lost' }

export interface CacheCall {
  readonly request: CacheRequest
  readonly nowMs: number
}

export interface AnswerCall extends CacheCall {
  readonly answer: CacheAnswer
  /** Of the request and where it ended, without secrets. */
  readonly shownUrl: string
  readonly finalUrl: string | null
}

/** One text per address, for the log and for locks. */
export function cacheKey(request: CacheRequest): Buffer {
  return hashed(cacheKeyText(request))
}

/** How a look-up reads and writes; default: by statements of its own. */
export interface LookUpWays {
  /** Notes that an answer is used. */
  readonly note?: (id: number) => Promise<void>
  /** All answers of an address, the latest first. */
  readonly answersOf?: (urlKey: Buffer) => Promise<readonly CachedAnswer[]>
}

/** What is stored for a request, and what may be done with it. */
export async function lookUp(
  db: Db,
  store: BlobStore,
  { request, nowMs }: CacheCall,
  wishes: CacheWishes = {},
  ways: LookUpWays = {},
): Promise<LookUp> {
  const { note = (id) => noteUse(db, id, nowMs), answersOf: find = (key) => answersOf(db, key) } =
    ways
  const entry = matching(request, await find(cacheKey(request)))[0]
  if (entry === undefined) return { kind: 'none', why: 'absent' }
  const use = reuse(request, entry, wishes, nowMs)
  if (use.kind === 'none') return { kind: 'none', why: wishes.force ? 'forced' : 'unusable' }
  const isThere =
    use.kind === 'revalidate'
      ? (await rehashBlob(store, entry.sha256, entry.bytes)) === 'whole'
      : (await store.has(entry.sha256))?.bytes === entry.bytes
  if (!isThere) {
    await removeBrokenBlob(db, store, entry)
    return { kind: 'none', why: 'blob-lost' }
  }
  if (use.kind === 'revalidate') return { ...use, entry }
  await note(entry.id)
  return { kind: 'hit', entry, isStale: use.kind === 'stale' }
}

/**
 * Notes a content that was put into the store, and its answer when that may be used again. To be called in the
 * transaction that refers to the content.
 * @throws StoreError `blob_collected` when the content is no longer in the store
 */
export async function remember(
  tx: Db,
  store: BlobStore,
  call: AnswerCall,
  blob: { readonly sha256: string; readonly bytes: number; readonly type: string | null },
): Promise<'stored' | 'bypass'> {
  await holdStored(tx, store, blob)
  await putBlob(tx, blob)
  const kept = storable(call.request, call.answer, call.nowMs)
  if (kept !== undefined) await keep(tx, call, kept, blob.sha256)
  else
    await dropAnswers(
      tx,
      matching(call.request, await answersOf(tx, cacheKey(call.request))).map(({ id }) => id),
    )
  return kept === undefined ? 'bypass' : 'stored'
}

/**
 * The server said that a stored answer did not change. To be called in the transaction that refers to its content.
 * @returns `refetch`: it spoke of another one, so the content must be asked for without conditions
 */
export async function revalidated(
  tx: Db,
  store: BlobStore,
  call: AnswerCall,
  entry: CachedAnswer,
): Promise<'revalidated' | 'refetch'> {
  // Validators are those of an address: where redirects end elsewhere now, they say nothing.
  const isSamePlace =
    entry.finalUrl === null || call.finalUrl === null || entry.finalUrl === call.finalUrl
  const kept = isSamePlace
    ? freshen(call.request, entry.policy, call.answer, call.nowMs)
    : ('other' as const)
  await dropAnswers(tx, [entry.id])
  if (kept === 'other') return 'refetch'
  await useStored(tx, store, entry)
  if (kept !== 'bypass') await keep(tx, call, kept, entry.sha256)
  return 'revalidated'
}

/**
 * A hit is used. To be called in the transaction that refers to its content.
 * @throws StoreError `blob_collected`
 */
export async function useStored(
  tx: Db,
  store: BlobStore,
  entry: Pick<CachedAnswer, 'sha256' | 'bytes' | 'type'>,
): Promise<void> {
  await holdStored(tx, store, entry)
  await putBlob(tx, entry)
}

/** Whether a stored answer stands in for one that the server could not give. */
export function maySubstitute(entry: CachedAnswer, trouble: ServerTrouble, nowMs: number): boolean {
  return mayServeOnError(entry, trouble, nowMs)
}

/** The row of an answer with this content. @returns undefined: it may not be used again */
export function answerToKeep(call: AnswerCall, sha256: string): FreshAnswer | undefined {
  const kept = storable(call.request, call.answer, call.nowMs)
  return kept === undefined ? undefined : freshAnswer(call, kept, sha256)
}

async function keep(tx: Db, call: AnswerCall, kept: StorableAnswer, sha256: string): Promise<void> {
  await putAnswer(tx, freshAnswer(call, kept, sha256))
}

function freshAnswer(
  { request, shownUrl, finalUrl, nowMs }: AnswerCall,
  { varyText, policy, freshUntilMs }: StorableAnswer,
  sha256: string,
): FreshAnswer {
  return {
    urlKey: cacheKey(request),
    varyKey: hashed(varyText),
    url: shownUrl,
    finalUrl,
    sha256,
    policy,
    freshUntilMs,
    nowMs,
  }
}

/** Of the answers of an address those that were given to such a request, in the same order. */
function matching(
  request: CacheRequest,
  answers: readonly CachedAnswer[],
): readonly CachedAnswer[] {
  return answers.filter(({ policy, varyKey }) => {
    const { vary } = policy.resh
    const text = varyKeyText(request, typeof vary === 'string' ? vary : undefined)
    return text !== undefined && hashed(text).equals(varyKey)
  })
}

async function holdStored(tx: Db, store: BlobStore, blob: KnownBlob): Promise<void> {
  await holdBlob(tx, blob.sha256)
  if (!(await isStored(store, blob))) throw blobCollected(blob)
}

/** Whether a content is in the store, in its length. */
export async function isStored(store: BlobStore, { sha256, bytes }: KnownBlob): Promise<boolean> {
  return (await store.has(sha256))?.bytes === bytes
}

/** Of a content that was in the store a moment ago. */
export function blobCollected({ sha256, bytes }: KnownBlob): StoreError {
  return new StoreError({
    kind: 'transient',
    code: 'blob_collected',
    message: `The content ${sha256} of ${bytes} bytes is to be used; the store does not have it.`,
    hint: 'It is fetched again with the next attempt.',
  })
}

function hashed(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
