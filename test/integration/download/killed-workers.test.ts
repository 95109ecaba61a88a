/** Workers that are killed with -9 in the middle of many small files; in length: `test/faults/kill-download`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { fetchUnderKills } from '../../support/killed-downloads.ts'

// Processes that start, and ten seconds until the server misses the last one that died.
vi.setConfig({ testTimeout: 400_000 })

const FILES = 300
const MOST_KILLS = 3

it('each file is there once with its content, no part of one is, and none is fetched again without a death', async () => {
  const killed = await fetchUnderKills({
    files: FILES,
    workers: 2,
    async untilDeath({ deaths, done }) {
      if (deaths === MOST_KILLS) return false
      const before = await done()
      // The next one dies in the middle as well, however slow the machine is.
      while ((await done()) < Math.min(before + 10, FILES - 20)) await sleep(50)
      return true
    },
  })
  expect(killed.states).toMatchObject({ done: FILES, queued: 0, in_progress: 0, error: 0 })
  expect(killed.stored).toEqual(killed.wanted.map((hash) => ({ name: hash, hash })))
  expect(killed.parts).toEqual([])
  expect(killed.againWithoutDeath).toEqual([])
  // Whoever lives may be through before the next one has started.
  expect(killed.doneAtDeaths.length).toBeGreaterThan(0)
})
