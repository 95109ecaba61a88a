/** kill -9 of the worker at every statement of a page: of reading it, of its details, and of landing the list. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  expectAlike,
  type KillSite,
  momentsOfSecondPage,
  openKillSite,
} from '../support/killed-extractions.ts'
import { report } from './report.ts'

// A dozen processes that start one after the other, and as many heartbeat timeouts.
vi.setConfig({ testTimeout: 3_600_000 })

/** Each holds a connection of the worker, which has ten. */
const AT_ONCE = 5

let site: KillSite
beforeAll(async () => {
  site = await openKillSite()
})
afterAll(() => site.close())

it('case 24: whichever statement the worker dies at, what is left is that of an undisturbed extraction', async () => {
  const calm = await site.undisturbed()
  const moments = momentsOfSecondPage(calm)
  // Eleven of the page activity, with its one commit; the others are details and landing.
  expect(moments.length).toBeGreaterThan(40)
  for (let from = 0; from < moments.length; from += AT_ONCE) {
    const some = moments.slice(from, from + AT_ONCE)
    const killed = await site.killedAt(some)
    killed.forEach((one, at) => {
      const { index = 0, fate } = some[at] ?? {}
      expectAlike(one, calm, `${fate} ${index}: ${calm.statements[index]}`)
    })
  }
  report(`${moments.length} moments`)
})
