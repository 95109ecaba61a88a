/** Where the attempts of this process begin and end: what comes at the same time is written in the same statements. */
import { inBatches } from '../core/in-batches.ts'
import { holdBlobs, putBlobs } from '../db/blobs.repo.ts'
import type { Db } from '../db/connect.ts'
import { type DownloadAttempt, recordDownloadAttempts } from '../db/download-attempts.repo.ts'
import {
  answersOfAll,
  type CachedAnswer,
  type FreshAnswer,
  noteUses,
  putAnswers,
} from '../db/http-cache.repo.ts'
import { isPostgresAway } from '../db/is-postgres-away.ts'
import type { JobAttempt, JobResult } from '../db/job-attempts.repo.ts'
import { finishAttempts } from '../db/job-finishes.repo.ts'
import { beginInLanes, type LaneBegin } from '../db/job-lanes.repo.ts'
import { flagAllDuplicates } from '../db/suspicious-duplicates.repo.ts'
import { blobCollected, isStored } from '../store/artifact-cache.ts'
import type { BlobStore } from '../store/blob-store.ts'
import type { StoreError } from '../store/store-error.ts'

/** An attempt that has its file, which is in the store. */
export interface Finish {
  readonly job: JobAttempt
  readonly result: JobResult
  readonly store: BlobStore
  /** MIME type by its content. */
  readonly type: string | null
  /** To be used again. */
  readonly answer?: FreshAnswer | undefined
  /** A stored answer that was used, and when. */
  readonly used?: { readonly id: number; readonly nowMs: number } | undefined
  readonly rows: readonly DownloadAttempt[]
  /** Files of a host with the same content that are normal. */
  readonly suspiciousDuplicates: number
}

export interface AttemptDesk {
  /** @returns false: the job is no longer of its lane, or its queue stands still */
  begin(wish: LaneBegin): Promise<boolean>
  /** Stored answers of an address, the latest first. */
  answersOf(urlKey: Buffer): Promise<readonly CachedAnswer[]>
  /** @returns false: the attempt has lost its job, and nothing was changed @throws StoreError `blob_collected` */
  finish(finish: Finish): Promise<boolean>
}

/** A transaction of more would hold others up. */
const MOST_AT_ONCE = 100

export function createAttemptDesk(db: Db): AttemptDesk {
  const together = (finishes: readonly Finish[]) =>
    db.transaction().execute((tx) => finishAll(tx, finishes))
  return {
    begin: inBatches((begins) => beginInLanes(db, begins), MOST_AT_ONCE),
    answersOf: inBatches<Buffer, readonly CachedAnswer[]>(
      (urlKeys) => answersOfAll(db, urlKeys),
      MOST_AT_ONCE,
    ),
    finish: inBatches<Finish, boolean>(async (finishes) => {
      try {
        return await together(finishes)
      } catch (error) {
        if (finishes.length === 1 || isPostgresAway(error)) throw error
        // One that cannot be written holds up no other.
        const results: (boolean | Error)[] = []
        for (const one of finishes) results.push(...(await together([one]).catch(asError)))
        return results
      }
    }, MOST_AT_ONCE),
  }
}

function asError(error: unknown): readonly [Error] {
  return [error instanceof Error ? error : new Error('it was not written', { cause: error })]
}

async function finishAll(
  tx: Db,
  finishes: readonly Finish[],
): Promise<readonly (boolean | StoreError)[]> {
  const shas = [...new Set(finishes.map(({ result }) => result.sha256))]
  await holdBlobs(tx, shas)
  const there = await Promise.all(finishes.map(({ store, result }) => isStored(store, result)))
  const whole = finishes.filter((_, index) => there[index] === true)
  if (whole.length === 0) return finishes.map(({ result }) => blobCollected(result))
  const done = await finishAttempts(tx, whole)
  const kept = whole.filter((_, index) => done[index] === true)
  const isDone = new Set(kept)
  await noteContents(tx, kept)
  return finishes.map((one, index) =>
    there[index] === true ? isDone.has(one) : blobCollected(one.result),
  )
}

async function noteContents(tx: Db, kept: readonly Finish[]): Promise<void> {
  if (kept.length === 0) return
  const blobs = new Map(
    kept.map(({ result: { sha256, bytes }, type }) => [sha256, { sha256, bytes, type }]),
  )
  await putBlobs(tx, [...blobs.values()])
  const answers = new Map(
    kept.flatMap(({ answer }) =>
      answer === undefined
        ? []
        : [[`${answer.urlKey.toString('hex')} ${answer.varyKey.toString('hex')}`, answer]],
    ),
  )
  if (answers.size > 0) await putAnswers(tx, [...answers.values()])
  const used = kept.flatMap((one) => one.used ?? [])
  if (used.length > 0) {
    const ids = used.map(({ id }) => id).toSorted((one, other) => one - other)
    await noteUses(tx, ids, Math.max(...used.map(({ nowMs }) => nowMs)))
  }
  await flagAllDuplicates(
    tx,
    kept.map(({ job: { queue, host }, result: { sha256 }, suspiciousDuplicates: most }) => ({
      queue,
      host,
      sha256,
      most,
    })),
  )
  await recordDownloadAttempts(
    tx,
    kept.flatMap(({ rows }) => rows),
  )
}
