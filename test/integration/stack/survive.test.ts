import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { Client as TemporalClient, Connection } from '@temporalio/client'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { homePaths } from '../../../src/client/stack/home.ts'
import { isRunning } from '../../../src/client/stack/process-identity.mjs'
import { makeStackHome, type StackHome } from '../../support/stack-home.ts'

const PATIENCE = { timeout: 30_000 }

let home: StackHome
beforeEach(() => {
  home = makeStackHome()
})
afterEach(() => home.remove())

it('adopts PostgreSQL and Temporal after its keeper was killed; worker and service ended by themselves', async () => {
  const before = await home.ensure()
  const left = home.processes()
  await writeNote(before.databaseUrl)
  kill(home.keeper())
  await expect.poll(() => left.worker && isRunning(left.worker), PATIENCE).toBe(false)
  await expect.poll(() => left.sampleService && isRunning(left.sampleService), PATIENCE).toBe(false)

  const after = await home.ensure()
  expect(home.processes().postgres).toEqual(left.postgres)
  expect(home.processes().temporal).toEqual(left.temporal)
  expect(home.processes().worker).not.toEqual(left.worker)
  expect({ ...after, close: undefined }).toEqual({ ...before, close: undefined })
  expect(await readNotes(after.databaseUrl)).toEqual(['kept'])
  after.close()
})

it('goes on with all data after everything was killed', async () => {
  const before = await home.ensure()
  await writeNote(before.databaseUrl)
  await startWorkflow(before.temporalAddress)
  home.running().forEach(kill)
  await expect.poll(() => home.running(), PATIENCE).toEqual([])

  const after = await home.ensure()
  expect({ ...after, close: undefined }).toEqual({ ...before, close: undefined })
  expect(await readNotes(after.databaseUrl)).toEqual(['kept'])
  expect(await workflowStatus(after.temporalAddress)).toBe('RUNNING')
  after.close()
})

it('starts each part again that dies, at the same address', async () => {
  const stack = await home.ensure()
  const before = home.processes()
  await writeNote(stack.databaseUrl)
  Object.values(before).forEach(kill)
  await expect
    .poll(async () => {
      const now = home.processes()
      return (['postgres', 'temporal', 'worker', 'sampleService'] as const).every(
        (name) => now[name]?.pid !== before[name]?.pid,
      )
    }, PATIENCE)
    .toBe(true)
  await expect.poll(() => readNotes(stack.databaseUrl).catch(String), PATIENCE).toEqual(['kept'])
  await expect
    .poll(() => startWorkflow(stack.temporalAddress).catch(String), PATIENCE)
    .toBe('started')
  stack.close()
})

it('stops everything by down, keeping the data, without news of long ago, and then says that nothing runs', async () => {
  const before = await home.ensure()
  const { sampleService } = home.processes()
  kill(sampleService)
  await expect
    .poll(() => home.processes().sampleService?.pid ?? sampleService?.pid, PATIENCE)
    .not.toBe(sampleService?.pid)
  await writeNote(before.databaseUrl)
  const lines: string[] = []
  expect(await home.stop((line) => lines.push(line))).toBe('stopped')
  expect(lines).toEqual([
    'Stopping the worker …',
    'Stopping the sample service …',
    'Stopping Temporal …',
    'Stopping PostgreSQL …',
  ])
  expect(home.running()).toEqual([])
  expect(await home.stop()).toBe('nothing ran')

  const after = await home.ensure()
  expect(await readNotes(after.databaseUrl)).toEqual(['kept'])
  after.close()
})

it('stops by down what a killed keeper left', async () => {
  await home.ensure()
  kill(home.keeper())
  expect(await home.stop()).toBe('leftovers')
  expect(home.running()).toEqual([])
})

it('ends when its home is removed, and a new home at that place starts empty', async () => {
  const before = await home.ensure()
  const running = home.running()
  await writeNote(before.databaseUrl)
  rmSync(home.path, { recursive: true })
  await expect.poll(() => running.filter(isRunning), PATIENCE).toEqual([])
  expect(existsSync(home.path)).toBe(false)

  const after = await home.ensure()
  await expect(readNotes(after.databaseUrl)).rejects.toThrow('relation "note" does not exist')
  after.close()
})

it('ends when its home is moved, and goes on with all data at the new place', async () => {
  const before = await home.ensure()
  const running = home.running()
  await writeNote(before.databaseUrl)
  const elsewhere = makeStackHome()
  renameSync(home.path, elsewhere.path)
  await expect.poll(() => running.filter(isRunning), PATIENCE).toEqual([])

  const after = await elsewhere.ensure()
  expect(await readNotes(after.databaseUrl)).toEqual(['kept'])
  after.close()
  await elsewhere.remove()
})

it('ends by itself when nobody holds it and no run is open, not before', async () => {
  const shortLived = makeStackHome({ RECORD_LINKER_IDLE_MINUTES: '0.02' })
  const stack = await shortLived.ensure()
  const running = shortLived.running()
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect(running.every(isRunning)).toBe(true)

  stack.close()
  await expect.poll(() => running.filter(isRunning), PATIENCE).toEqual([])
  expect(readFileSync(homePaths(shortLived.path).logs.keeper, 'utf8')).toContain('Ended: idle')
  await shortLived.remove()
})

function kill(mark: { readonly pid: number } | undefined): void {
  if (mark) process.kill(mark.pid, 'SIGKILL')
}

async function writeNote(url: string): Promise<void> {
  await query(url, `create table note (text text); insert into note values ('kept')`)
}

async function readNotes(url: string): Promise<unknown[]> {
  return (await query(url, 'select text from note')).map((row) => row.text)
}

async function query(url: string, text: string): Promise<{ text: string }[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function startWorkflow(address: string): Promise<'started'> {
  await withTemporal(address, (client) =>
    client.workflow.start('anything', { taskQueue: 'nobody', workflowId: 'survivor' }),
  )
  return 'started'
}

function workflowStatus(address: string): Promise<string> {
  return withTemporal(address, async (client) => {
    const description = await client.workflow.getHandle('survivor').describe()
    return description.status.name
  })
}

async function withTemporal<T>(
  address: string,
  use: (client: TemporalClient) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address })
  try {
    return await use(new TemporalClient({ connection }))
  } finally {
    await connection.close()
  }
}
