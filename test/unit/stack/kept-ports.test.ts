import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { anyFreePort, isPortFree } from '../../../src/client/stack/free-port.ts'
import { keptPorts, type KeptPorts } from '../../../src/client/stack/kept-ports.ts'

let folder: string
const strangers: Server[] = []
const said: string[] = []
const opened: KeptPorts[] = []

/** As one keeper after the other would: the one before has given its ports back. */
function open(file = 'ports.json'): KeptPorts {
  for (const before of opened.splice(0)) before.release()
  return openBeside(file)
}

function openBeside(file: string): KeptPorts {
  const ports = keptPorts(join(folder, file), (line) => said.push(line))
  opened.push(ports)
  return ports
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-ports-'))
  said.length = 0
})
afterEach(() => {
  for (const ports of opened.splice(0)) ports.release()
  for (const stranger of strangers.splice(0)) stranger.close()
  rmSync(folder, { recursive: true })
})

it('gives each part a port of its own and the same one the next time', async () => {
  const names = ['postgres', 'temporal', 'temporalUi', 'sampleService'] as const
  const first = await chooseAll(names)
  expect(new Set(first).size).toBe(names.length)
  expect(await chooseAll(names)).toEqual(first)
  expect(names.map((name) => open().last(name))).toEqual(first)
  expect(said).toEqual([])
})

it('leaves a kept port that a stranger took, says so, and keeps the new one', async () => {
  const before = await open().choose('postgres')
  await occupy(before)
  const after = await open().choose('postgres')
  expect(after).toBeGreaterThan(before)
  expect(said).toEqual([
    `Port ${before} is held by another program; PostgreSQL moves to port ${after}.`,
  ])
  expect(open().last('postgres')).toBe(after)
})

it('gives two homes that start at the same moment different ports, before any server listens', async () => {
  const one = open('one.json')
  const two = openBeside('two.json')
  const [first, second] = await Promise.all([one.choose('temporal'), two.choose('temporal')])
  expect(first).not.toBe(second)
  expect(await one.choose('temporal')).toBe(first)
})

it('knows free from taken ports', async () => {
  const port = await anyFreePort()
  expect(await isPortFree(port)).toBe(true)
  await occupy(port)
  expect(await isPortFree(port)).toBe(false)
})

async function chooseAll(
  names: readonly ('postgres' | 'temporal' | 'temporalUi' | 'sampleService')[],
) {
  const ports = open()
  const chosen: number[] = []
  for (const name of names) chosen.push(await ports.choose(name))
  return chosen
}

async function occupy(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  strangers.push(server)
  await once(server, 'listening')
}
