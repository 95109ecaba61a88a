import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectKeeper, findKeeper } from '../../../src/client/stack/control-client.ts'
import { startControlServer, type ControlServer } from '../../../src/client/stack/control-server.ts'
import { followKeeper } from '../../../src/client/stack/follow-keeper.ts'
import { homePaths } from '../../../src/client/stack/home.ts'
import type { KeeperEvent, KeeperFile } from '../../../src/client/stack/keeper-event.ts'
import { markProcess } from '../../../src/client/stack/process-identity.mjs'
import { writePrivateFile } from '../../../src/client/stack/private-file.ts'
import { loadConfig } from '../../../src/config.ts'
import { productVersion } from '../../../src/product-version.ts'

const keeperEvent: KeeperEvent = {
  event: 'keeper',
  home: '/h',
  pid: 1,
  version: productVersion,
  external: {},
}
const progress: KeeperEvent = { event: 'progress', text: 'Starting …' }
const ready: KeeperEvent = {
  event: 'ready',
  addresses: {
    temporalAddress: '127.0.0.1:1',
    temporalNamespace: 'default',
    databaseUrl: 'postgresql://127.0.0.1/d',
    home: '/h',
  },
}

let home: string
let server: ControlServer
let asked = 0
let file: KeeperFile

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'record-linker-control-'))
  asked = 0
  server = await startControlServer(keeperEvent, () => asked++)
  file = { home, ...markProcess(process.pid), port: server.port, token: server.token }
  writePrivateFile(homePaths(home).keeper, JSON.stringify(file))
})
afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true })
})

it('tells a client who is there, the progress so far, and what follows, until the keeper ends', async () => {
  server.announce(progress)
  const line = await connectKeeper(file, '/follow')
  const events = collect(line?.events)
  server.announce(ready)
  await server.close()
  expect(await events).toEqual([keeperEvent, progress, ready])
})

it('tells a late client the outcome without the progress that led to it', async () => {
  server.announce(progress)
  server.announce(ready)
  const line = await connectKeeper(file, '/follow')
  await server.close()
  expect(await collect(line?.events)).toEqual([keeperEvent, ready])
})

it('counts clients for as long as their line is open; a client that asks it to end holds nothing', async () => {
  const line = await connectKeeper(file, '/follow')
  const down = await connectKeeper(file, '/down')
  expect(server.clients()).toBe(1)
  expect(asked).toBe(1)
  line?.close()
  down?.close()
  await expect.poll(() => server.clients()).toBe(0)
})

it('answers nobody without the token of the home', async () => {
  expect(await connectKeeper({ ...file, token: 'guess' }, '/follow')).toBeUndefined()
  expect(await connectKeeper({ ...file, token: '' }, '/down')).toBeUndefined()
  expect(asked).toBe(0)
})

it('is found through its file, unless that is of another home, or of a process that is gone', () => {
  expect(findKeeper(home)).toEqual(file)
  for (const other of [{ home: '/elsewhere' }, { identity: 'gone' }]) {
    writePrivateFile(homePaths(home).keeper, JSON.stringify({ ...file, ...other }))
    expect(findKeeper(home)).toBeUndefined()
  }
})

it('gives no line when nobody listens there any more', async () => {
  await server.close()
  expect(await connectKeeper(file, '/follow')).toBeUndefined()
})

describe('following a keeper', () => {
  const config = loadConfig({})
  const said: string[] = []
  const follow = () => followKeeper(file, config, (line) => said.push(line))
  beforeEach(() => {
    said.length = 0
  })

  it('ends with its addresses and holds the stack until released', async () => {
    server.announce(progress)
    const outcome = follow()
    await expect.poll(() => said).toEqual(['Starting …'])
    server.announce(ready)
    expect(await outcome).toMatchObject({
      state: 'ready',
      wasStarting: true,
      ...addressesOf(ready),
    })
    expect(server.clients()).toBe(1)
    const ended = await outcome
    if (ended?.state === 'ready') ended.release()
    await expect.poll(() => server.clients()).toBe(0)
  })

  it('ends with the reason why the stack did not start', async () => {
    server.announce({
      event: 'failed',
      code: 'disk_full',
      message: 'No space.',
      hint: 'Make room.',
    })
    await expect(follow()).rejects.toMatchObject({ code: 'disk_full', hint: 'Make room.' })
    await expect.poll(() => server.clients()).toBe(0)
  })

  it('waits for the end of one that is stopping', async () => {
    server.announce(ready)
    server.announce({ event: 'stopping' })
    const outcome = follow()
    await expect.poll(() => server.clients()).toBe(1)
    await server.close()
    expect(await outcome).toMatchObject({ state: 'ended' })
  })

  it('asks one of another version to end, and waits for that', async () => {
    await server.close()
    server = await startControlServer({ ...keeperEvent, version: '0.0.1' }, () => {
      asked++
      void server.close()
    })
    server.announce(ready)
    file = { ...file, port: server.port, token: server.token }
    expect(await follow()).toEqual({ state: 'ended' })
    expect(asked).toBe(1)
    expect(said[0]).toContain('started by version 0.0.1')
  })

  it('refuses one that works with other servers than the settings say', async () => {
    const other = loadConfig({ DATABASE_URL: 'postgresql://u:secret@127.0.0.1/d' })
    const outcome = followKeeper(file, other, () => undefined)
    await expect(outcome).rejects.toMatchObject({ code: 'stack_differs' })
    await expect(outcome).rejects.not.toThrow('secret')
  })

  it.each([
    ['another Wikidata', { RECORD_LINKER_WIKIDATA_URL: 'http://127.0.0.1:2/api.php' }],
    ['a token for it', { RECORD_LINKER_WIKIDATA_TOKEN: 'secret' }],
  ])('refuses one whose worker lacks what the settings say: %s', async (_, env) => {
    await server.close()
    const wikidata = { url: 'http://127.0.0.1:1/api.php', hasToken: false }
    server = await startControlServer({ ...keeperEvent, wikidata }, () => undefined)
    server.announce(ready)
    file = { ...file, port: server.port, token: server.token }
    const outcome = followKeeper(file, loadConfig(env), () => undefined)
    await expect(outcome).rejects.toMatchObject({ code: 'wikidata_differs' })
    await expect(outcome).rejects.not.toThrow('secret')
  })
})

function addressesOf(event: KeeperEvent): object {
  return event.event === 'ready' ? { addresses: event.addresses } : {}
}

async function collect(events: AsyncIterable<KeeperEvent> = noEvents()): Promise<KeeperEvent[]> {
  const all: KeeperEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

async function* noEvents(): AsyncGenerator<KeeperEvent> {
  // Stands for a line that could not be opened.
}
