import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSlots, NoSlotError, type Slots } from '../../../src/db/advisory-slots.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

const LONG = { signal: new AbortController().signal, waitMs: 60_000 }
const NOW = { ...LONG, waitMs: 0 }
const host = (cap = 1) => ({ key: 'host/a', cap })
const resolver = (cap = 1) => ({ key: 'resolver/doi', cap })

let database: TempDatabase
/** As if of two processes. */
let one: Slots
let other: Slots
beforeAll(async () => {
  database = await createTempDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  one = createSlots(database.url)
  other = createSlots(database.url)
})
afterEach(() => Promise.all([one.close(), other.close()]))

it('there are as many as the cap says, over all processes', async () => {
  await one.take([host(3)], NOW)
  await other.take([host(3)], NOW)
  await one.take([host(3)], NOW)
  await expect(one.take([host(3)], NOW)).rejects.toThrow(NoSlotError)
  await expect(other.take([host(3)], NOW)).rejects.toThrow(NoSlotError)
})

it('of two keys both are taken or neither: who waits for a host holds no slot of its resolver', async () => {
  const give = await one.take([host()], NOW)
  await expect(other.take([resolver(), host()], NOW)).rejects.toThrow(NoSlotError)
  const free = await one.take([resolver()], NOW)
  free()
  give()
  expect(await other.take([resolver(), host()], LONG)).toBeTypeOf('function')
})

it('one that comes free goes to who waits, in this process and in another', async () => {
  const give = await one.take([host()], NOW)
  const waiting = other.take([host()], LONG)
  give()
  give()
  const giveNext = await waiting
  const here = other.take([host()], LONG)
  giveNext()
  expect(await here).toBeTypeOf('function')
})

it('a process that dies holds none', async () => {
  await one.take([host()], NOW)
  await one.close()
  expect(await other.take([host()], LONG)).toBeTypeOf('function')
})

it('a wait ends with its signal', async () => {
  await one.take([host()], NOW)
  const stop = new AbortController()
  const waiting = other.take([host()], { signal: stop.signal, waitMs: 60_000 })
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})
