import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type Lab, openLab } from '../origin/lab.ts'
import { startProgram } from '../program.ts'

/** Files of one size. */
export interface FileSet {
  readonly files: number
  readonly bytes: number
}

export interface DownloadLab extends Pick<Lab, 'workerPids'> {
  /** Addresses of the files of a set, each of another content. */
  readonly urls: (set: FileSet) => readonly string[]
  /** Bodies that the host has sent so far. */
  readonly bodies: () => Promise<number>
  /** Fetches them by the command, in a queue of its own. @returns how long that took, ms */
  readonly fetch: (urls: readonly string[], atOnce: number) => Promise<number>
  /** For whoever else fetches them; emptied each time. */
  readonly folder: () => string
  readonly close: () => Promise<void>
}

const doneCount = z.object({ done: z.number() })

/** One worker process on servers of its own, and a host of files in another process. */
export async function openDownloadLab(): Promise<DownloadLab> {
  const lab = await openLab(1)
  const host = startProgram(new URL('file-host-process.ts', import.meta.url), [])
  const port = z.number().parse(await host.message())
  const root = `http://127.0.0.1:${port}`
  const place = mkdtempSync(join(tmpdir(), 'record-linker-download-'))
  const theirs = join(place, 'theirs')
  // No limit: what slows the queue down is not the limiter.
  const fast = ['--strategy', 'fixed', '--max-rps', '10000', '--max-in-flight', '1000']
  await lab.run('limits', 'set', `127.0.0.1:${port}`, ...fast)
  await lab.restoreWorkers()
  const store = `file://${join(place, 'ours')}`
  let queues = 0
  return {
    workerPids: lab.workerPids,
    urls: ({ files, bytes }) =>
      Array.from({ length: files }, (_, number) => `${root}/${bytes}/${number}`),
    bodies: async () => Number(await (await fetch(`${root}/bodies`)).text()),
    async fetch(urls, atOnce) {
      const queue = `queue-${++queues}`
      const list = join(place, `${queue}.csv`)
      writeFileSync(list, ['url', ...urls, ''].join('\n'))
      await lab.run('download', 'import', list, '--queue', queue)
      const startedMs = performance.now()
      const caps = ['--max-workers', `${atOnce}`, '--max-per-host', `${atOnce}`]
      const how = ['--max-per-resolver', `direct=${atOnce}`, '--allow-address', '127.0.0.0/8']
      const what = ['--queue', queue, '--store', store, '--drain', '-o', 'json']
      const report = await lab.run('download', 'run', ...what, ...caps, ...how)
      const tookMs = performance.now() - startedMs
      const { done } = doneCount.parse(JSON.parse(report))
      if (done === urls.length) return tookMs
      throw new Error(`${done} files were fetched, expected ${urls.length}`)
    },
    folder() {
      rmSync(theirs, { recursive: true, force: true })
      return theirs
    },
    async close() {
      await host.end()
      await lab.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
}
