/** kill -9 of the worker in the middle of a page; at every statement: `faults/kill-page.test.ts`. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  expectAlike,
  type KillSite,
  momentsOfSecondPage,
  openKillSite,
} from '../../support/killed-extractions.ts'

// Two processes that start on a busy machine, and the heartbeat timeout of the first.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 400_000 })

let site: KillSite
beforeAll(async () => {
  site = await openKillSite()
})
afterAll(() => site.close())

/** The checkpoint is locked; the page, its items and the checkpoint are written; both count. */
const WRITES = ['select c.pages_done', 'with', 'commit']

it('case 24: a page whose worker dies while it is written is there once, with all of its items', async () => {
  const calm = await site.undisturbed()
  const all = momentsOfSecondPage(calm)
  const moments = WRITES.flatMap((start) => {
    const index = all.find((one) =>
      calm.statements[one.index]?.trimStart().startsWith(start),
    )?.index
    return all.filter((one) => one.index === index)
  })
  expect(moments.map(({ fate }) => fate)).toEqual([
    ...WRITES.map(() => 'hold_before'),
    'hold_answer',
  ])
  const killed = await site.killedAt(moments)
  killed.forEach((one, at) => expectAlike(one, calm, WRITES[at] ?? 'commit answered'))
})
