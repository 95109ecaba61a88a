/** Whatever a process is doing when it is killed: what has the name of a content is that content. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tokenOfPart } from '../../../src/core/download/part-name.ts'
import { openBlobStore } from '../../../src/store/open-blob-store.ts'
import { rehashBlob } from '../../../src/store/rehash-blob.ts'
import { hashOf, staged } from '../../support/stores.ts'

const ROUNDS = 6
const LONGEST_LIFE_MS = 250

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'killed-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a process that is killed while it puts leaves whole contents and files on their way, nothing else', async () => {
  const child = new URL('../../support/putting-child.ts', import.meta.url)
  for (let round = 0; round < ROUNDS; round += 1) {
    const running = fork(child, [folder, String(round)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(running, 'message')
    await sleep(Math.random() * LONGEST_LIFE_MS)
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  const store = await openBlobStore(pathToFileURL(folder).href, { reserveBytes: 0 })
  const states: string[] = []
  for await (const { sha256 } of store.list()) states.push(await rehashBlob(store, sha256))
  expect(states.length).toBeGreaterThanOrEqual(ROUNDS)
  expect(new Set(states)).toEqual(new Set(['whole']))
  const left = readdirSync(store.tempDir)
  expect(left.filter((name) => tokenOfPart(name) === undefined)).toEqual([])
  // What was lost comes again without a trace of the first time.
  await store.put(staged(store, 'afterwards'))
  expect(await rehashBlob(store, hashOf('afterwards'))).toBe('whole')
})
