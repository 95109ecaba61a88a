/** A queue of files as the tests run it: filled as the commands do, fetched by a real worker, read from the database. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { reconciledQueue, startDispatcher } from '../../../src/client/download/opened-queue.ts'
import { newJob, type JobWish } from '../../../src/core/download/artifact-id.ts'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import { defaultQueueOptions, type QueueOptions } from '../../../src/core/download/queue-options.ts'
import { ensureQueue } from '../../../src/db/download-queues.repo.ts'
import { enqueueJobs } from '../../../src/db/job-intake.repo.ts'
import { queueStats } from '../../../src/db/job-report.repo.ts'
import type { MatchServer } from '../../support/match-server.ts'

export interface QueueSite {
  readonly name: string
  withOptions(changes: Partial<QueueOptions>): QueueOptions
  add(...wishes: readonly (string | JobWish)[]): Promise<void>
  /** Starts the dispatcher. */
  run(how?: { readonly drain?: boolean; readonly eventsPerExecution?: number }): Promise<Dispatcher>
  drain(how?: { readonly eventsPerExecution?: number }): Promise<void>
  jobs(): Promise<readonly Job[]>
  attempts(): Promise<
    readonly { readonly verb: string; readonly reason: string | null; readonly host: string }[]
  >
  stats(): ReturnType<typeof queueStats>
  /** Resolves when it looks so. */
  until(seen: () => Promise<boolean>): Promise<void>
  stored(sha256: string): Buffer
  /** Files that were begun and are neither finished nor gone. */
  parts(): readonly string[]
}

export type Dispatcher = Awaited<ReturnType<typeof startDispatcher>>
export type Job = Awaited<ReturnType<typeof jobsOf>>[number]

/** Loopback is let in, and a failed file is tried again soon. */
export async function openQueue(
  { bench }: MatchServer,
  changes: Partial<QueueOptions> = {},
): Promise<QueueSite> {
  const name = `queue-${randomUUID().slice(0, 8)}`
  const options = {
    ...defaultQueueOptions,
    allowedAddresses: ['127.0.0.0/8'],
    backoffMs: [50],
    reserveBytes: 0,
    ...changes,
  }
  const { client, db, taskQueue, artifacts } = bench
  await ensureQueue(db, name, options)
  const run: QueueSite['run'] = ({ drain = true, ...how } = {}) =>
    startDispatcher(client, name, { drain, taskQueue, ...how })
  return {
    name,
    withOptions: (more) => ({ ...options, ...more }),
    async add(...wishes) {
      const jobs = wishes.map((one) => {
        const wish = typeof one === 'string' ? { artifact: { urls: [one] } } : one
        const job = newJob(wish, options)
        if (job === undefined) throw new Error('nothing says where it is')
        return job
      })
      await enqueueJobs(db, name, jobs)
    },
    run,
    async drain(how) {
      await (await run(how)).result()
      await reconciledQueue(client, db, name)
    },
    jobs: () => jobsOf({ bench }, name),
    attempts: () =>
      db
        .selectFrom('download_attempts as a')
        .innerJoin('jobs as j', 'j.id', 'a.job_id')
        .where('j.queue', '=', name)
        .select(['a.verb', 'a.reason', 'a.host'])
        .orderBy('a.id')
        .execute(),
    stats: () => queueStats(db, name),
    async until(seen) {
      while (!(await seen())) await sleep(50)
    },
    stored: (sha256) => readFileSync(join(artifacts, blobPath(sha256))),
    parts: () => readdirSync(join(artifacts, 'tmp')),
  }
}

async function jobsOf({ bench: { db } }: Pick<MatchServer, 'bench'>, queue: string) {
  return db.selectFrom('jobs').where('queue', '=', queue).selectAll().orderBy('id').execute()
}
