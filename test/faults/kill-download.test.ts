/** kill -9 of each worker after ten seconds while it fetches thousands of files, which go on by themselves. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cli, createCli } from '../support/cli.ts'
import { type FileOrigin, startFileOrigin } from '../support/file-origin.ts'
import { report } from './report.ts'

const FILES = 5_000
/** Of the life of a worker. */
const KILL_EVERY_MS = 10_000
const LOOK_AGAIN_MS = 500
/** Each file is on its way for a while, so that a death meets some. */
const TAKES_MS = 200
const AT_ONCE = 32

let cli: Cli
let origin: FileOrigin
let store: string
beforeAll(async () => {
  cli = createCli()
  origin = await startFileOrigin()
  store = mkdtempSync(join(tmpdir(), 'record-linker-store-'))
})
afterAll(async () => {
  await origin.close()
  await cli.remove()
  rmSync(store, { recursive: true, force: true })
})

/** No two alike. */
const contentOf = (path: string): string => `${path}\n${'x'.repeat(20_000)}`

it('each is there once with its content, no part of one is, and none is fetched again without a death', async () => {
  const paths = Array.from({ length: FILES }, (_, number) => `/file/${number}`)
  for (const path of paths) {
    origin.serve(path, () => ({ body: contentOf(path), before: sleep(TAKES_MS) }))
  }
  const list = cli.file('files.csv', ['url', ...paths.map((path) => origin.url(path))].join('\n'))
  const fast = '--strategy fixed --max-rps 10000 --max-in-flight 1000'
  await cli.data('limits', 'set', `127.0.0.1:${origin.port}`, ...fast.split(' '))
  await cli.data('download', 'import', list)
  const caps = `--max-workers ${AT_ONCE} --max-per-host ${AT_ONCE} --max-per-resolver direct=${AT_ONCE}`
  const where = `--store ${pathToFileURL(store).href} --allow-address 127.0.0.0/8`
  const how = `--max-attempts 10 --drain -o json ${caps} ${where}`
  const running = cli.start('download', 'run', ...how.split(' '))
  const kills: number[] = []
  let isOver = false
  const ended = running.ended.finally(() => (isOver = true))
  while (!isOver) {
    // A worker that ends again and again is started after longer and longer waits, up to half a minute.
    if (cli.processes().worker === undefined) {
      await Promise.race([sleep(LOOK_AGAIN_MS), ended])
      continue
    }
    await Promise.race([sleep(KILL_EVERY_MS), ended])
    if (isOver) break
    kills.push(performance.now())
    await cli.kill('worker')
  }
  const { code, stdout, stderr } = await ended
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ done: FILES, queued: 0, in_progress: 0, error: 0 })
  expect(kills.length).toBeGreaterThan(2)

  const stored = filesOf(store)
  const whole = stored.filter(({ name }) => !name.startsWith('tmp'))
  expect(whole.map(({ hash }) => hash).toSorted()).toEqual(paths.map(hashOf).toSorted())
  let again = 0
  for (const path of paths) {
    const asked = origin.requests(path)
    again += asked.length - 1
    asked.slice(1).forEach(({ startMs }, index) => {
      const before = asked[index]?.startMs ?? 0
      expect(kills.some((atMs) => atMs >= before && atMs <= startMs)).toBe(true)
    })
  }
  report(`${again} of ${FILES} files fetched again after ${kills.length} kills`)
})

function hashOf(path: string): string {
  return createHash('sha256').update(contentOf(path)).digest('hex')
}

/** Every file of a store, by what is in it. */
function filesOf(folder: string): readonly { readonly name: string; readonly hash: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const content = readFileSync(path)
      const hash = createHash('sha256').update(content).digest('hex')
      return { name: path.slice(folder.length + sep.length), hash }
    })
}
