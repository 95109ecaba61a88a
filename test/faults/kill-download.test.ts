/** kill -9 of one of two workers every ten seconds while they fetch thousands of files. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fetchUnderKills } from '../support/killed-downloads.ts'
import { report } from './report.ts'

const FILES = 5_000
const KILL_EVERY_MS = 10_000
/** On a machine that does much else nobody dies until so many more are done. */
const LEAST_DONE = 100

it('each file is there once with its content, no part of one is, and none is fetched again without a death', async () => {
  const killed = await fetchUnderKills({
    files: FILES,
    workers: 2,
    async untilDeath({ done }) {
      const enough = Math.min((await done()) + LEAST_DONE, FILES)
      await sleep(KILL_EVERY_MS)
      while ((await done()) < enough) await sleep(500)
      return true
    },
  })
  const { doneAtDeaths, again } = killed
  report(`done at each death: ${doneAtDeaths.join(' ')}`)
  report(`${again} of ${FILES} files fetched again after ${doneAtDeaths.length} kills`)
  expect(killed.states).toMatchObject({ done: FILES, queued: 0, in_progress: 0, error: 0 })
  expect(killed.stored).toEqual(killed.wanted.map((hash) => ({ name: hash, hash })))
  expect(killed.parts).toEqual([])
  expect(killed.againWithoutDeath).toEqual([])
  expect(doneAtDeaths.length).toBeGreaterThan(2)
}, 1_800_000)
