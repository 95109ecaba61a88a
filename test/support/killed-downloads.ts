/**
 * A queue of files whose workers are killed with -9, one after the other; another one starts at once.
 *
 *   const killed = await fetchUnderKills({ files: 5_000, workers: 1, untilDeath: async () => sleep(10_000) })
 *   expect(killed.stored).toEqual(killed.wanted)
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startDispatcher } from '../../src/client/download/opened-queue.ts'
import { newJob } from '../../src/core/download/artifact-id.ts'
import { defaultQueueOptions } from '../../src/core/download/queue-options.ts'
import { changeDomainPolicy } from '../../src/db/domain-limits.repo.ts'
import { ensureQueue } from '../../src/db/download-queues.repo.ts'
import { enqueueJobs } from '../../src/db/job-intake.repo.ts'
import { queueStats } from '../../src/db/job-report.repo.ts'
import { openFileStore } from '../../src/store/file-blob-store.ts'
import { sha256, startFileOrigin } from './file-origin.ts'
import type { RunningCommand } from './running-command.ts'
import { openWorkerSite, type WorkerSite } from './worker-site.ts'

export interface KilledDownloads {
  readonly states: Awaited<ReturnType<typeof queueStats>>['states']
  /** How many were done when each worker died. */
  readonly doneAtDeaths: readonly number[]
  /** Content hashes of all files, sorted. */
  readonly wanted: readonly string[]
  /** Every file of the store outside of its folder for transfers: its name, and its hash, sorted. */
  readonly stored: readonly { readonly name: string; readonly hash: string }[]
  /** What is begun and not whole: at the end, and after `gc` an hour later. */
  readonly parts: readonly string[]
  /** Requests for a file beyond the first. */
  readonly again: number
  /** Of them those before which no worker had died since the one before. */
  readonly againWithoutDeath: readonly string[]
}

export interface KilledDownloadsPlan {
  readonly files: number
  /** Alive at a time. */
  readonly workers: number
  /**
   * Called when so many have said that they are ready; when it resolves the oldest dies.
   * @returns false: nobody dies any more
   */
  readonly untilDeath: (now: {
    readonly deaths: number
    readonly done: () => Promise<number>
  }) => Promise<boolean>
}

interface Death {
  readonly fromMs: number
  readonly overMs: number
  /** Files that were done before. */
  readonly done: number
}

/** Each file is on its way for a while, so that a death meets some. */
const TAKES_MS = 200
const AT_ONCE = 32
const QUEUE = 'killed'

export async function fetchUnderKills(plan: KilledDownloadsPlan): Promise<KilledDownloads> {
  const { files } = plan
  const site = await openWorkerSite()
  const origin = await startFileOrigin()
  const store = mkdtempSync(join(tmpdir(), 'record-linker-store-'))
  try {
    const paths = Array.from({ length: files }, (_, number) => `/file/${number}`)
    for (const path of paths) {
      origin.serve(path, () => ({ body: contentOf(path), before: sleep(TAKES_MS) }))
    }
    await fillQueue(
      site,
      store,
      paths.map((path) => origin.url(path)),
    )
    const domain = `127.0.0.1:${origin.port}`
    const set = { strategy: 'fixed', maxRps: 10_000, maxInFlight: 1_000 }
    await changeDomainPolicy(site.db, domain, { fromScratch: true, set, unset: [] })
    const deaths = await killInTurn(site, plan)

    const asked = paths.map((path) => origin.requests(path).map(({ startMs }) => startMs))
    return {
      states: (await queueStats(site.db, QUEUE)).states,
      doneAtDeaths: deaths.map(({ done }) => done),
      wanted: paths.map((path) => sha256(Buffer.from(contentOf(path)))).toSorted(),
      stored: filesOf(join(store, 'sha256')),
      parts: readdirSync(openFileStore(store, { reserveBytes: 0 }).tempDir),
      again: asked.reduce((sum, times) => sum + times.length - 1, 0),
      againWithoutDeath: paths.filter((_, index) =>
        (asked[index] ?? []).some((atMs, nth, all) => {
          const beforeMs = all[nth - 1]
          if (beforeMs === undefined) return false
          return !deaths.some(({ fromMs, overMs }) => overMs >= beforeMs && fromMs <= atMs)
        }),
      ),
    }
  } finally {
    await site.close()
    await origin.close()
    rmSync(store, { recursive: true, force: true })
  }
}

async function fillQueue(site: WorkerSite, store: string, urls: readonly string[]): Promise<void> {
  const options = {
    ...defaultQueueOptions,
    maxWorkers: AT_ONCE,
    maxPerHost: AT_ONCE,
    resolverDefault: AT_ONCE,
    // A file may be on its way at each death.
    maxAttempts: 100,
    allowedAddresses: ['127.0.0.0/8'],
    store: pathToFileURL(store).href,
    reserveBytes: 0,
  }
  await ensureQueue(site.db, QUEUE, options)
  const jobs = urls.flatMap((url) => newJob({ artifact: { urls: [url] } }, options) ?? [])
  await enqueueJobs(site.db, QUEUE, jobs)
}

/** @returns when each worker died, and how many files were done by then */
async function killInTurn(site: WorkerSite, { workers, untilDeath }: KilledDownloadsPlan) {
  const handle = await startDispatcher(site.client, QUEUE, { drain: true })
  const deaths: Death[] = []
  let isOver = false
  const result = handle.result().finally(() => (isOver = true))
  // It is awaited below.
  result.catch(() => undefined)
  const done = async () => (await queueStats(site.db, QUEUE)).states.done
  const alive: RunningCommand[] = []
  while (!isOver) {
    while (alive.length < workers) alive.push(site.start('--grace', '0'))
    await Promise.all(alive.map((worker) => worker.until('The worker is ready')))
    const isDeath = untilDeath({ deaths: deaths.length, done })
    if (!(await Promise.race([isDeath, result.then(() => false)]))) break
    const oldest = alive.shift()
    if (oldest === undefined) throw new Error('nobody is alive')
    const doneBefore = await done()
    const fromMs = performance.now()
    process.kill(oldest.mark.pid, 'SIGKILL')
    await oldest.ended
    // What it had sent comes in all the same.
    await sleep(100)
    deaths.push({ fromMs, overMs: performance.now(), done: doneBefore })
  }
  await result
  return deaths
}

/** No two alike. */
function contentOf(path: string): string {
  return `${path}\n${'x'.repeat(20_000)}`
}

function filesOf(folder: string): readonly { readonly name: string; readonly hash: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { name: basename(path), hash: sha256(readFileSync(path)) }
    })
    .toSorted((one, other) => (one.hash < other.hash ? -1 : 1))
}
