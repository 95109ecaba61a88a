import { expect, it } from 'vitest'
import { createSlotHold } from '../../../src/activities/slot-hold.ts'
import type { SlotWish } from '../../../src/db/advisory-slots.ts'

function taking(groupHosts: 'host' | 'domain') {
  const taken: SlotWish[] = []
  let held = 0
  const slots = {
    take: async (wishes: readonly SlotWish[]) => {
      taken.push(...wishes)
      held += 1
      return () => void (held -= 1)
    },
  }
  const caps = { resolver: 'direct', resolverCap: 8, hostCap: 2, groupHosts }
  const hold = createSlotHold(slots, caps, new AbortController().signal)
  const hosts = () => taken.filter(({ key }) => key.startsWith('host/')).map(({ key }) => key)
  return { hold, hosts, held: () => held }
}

it('hosts of one owner share their cap where that is wished, and a redirect between them keeps its slot', async () => {
  const { hold, hosts, held } = taking('domain')
  await hold.take('www.example.org')
  await hold.take('files.example.org:8080')
  await hold.take('example.com')
  expect([hosts(), held()]).toEqual([['host/example.org', 'host/example.com'], 1])
  hold.release()
  expect(held()).toBe(0)
})

it('else each host has its own', async () => {
  const { hold, hosts, held } = taking('host')
  await hold.take('www.example.org')
  await hold.take('files.example.org')
  expect([hosts(), held()]).toEqual([['host/www.example.org', 'host/files.example.org'], 1])
})
