import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { homePaths } from '../../../src/client/stack/home.ts'
import { schemaState } from '../../../src/db/migrate.ts'
import type { Stack } from '../../../src/client/stack/stack.ts'
import { makeStackHome, type StackHome } from '../../support/stack-home.ts'

describe('a running stack', () => {
  const home = makeStackHome()
  const lines: string[] = []
  let stack: Stack
  beforeAll(async () => {
    stack = await home.ensure((line) => lines.push(line))
  })
  afterAll(async () => {
    stack.close()
    await home.remove()
  })

  it('has a migrated PostgreSQL, a Temporal server and our programs, and said where they are', async () => {
    expect(lines.join('\n')).toMatch(/Starting PostgreSQL …[^]*Web UI {5}http:\/\/127\.0\.0\.1:\d+/)
    expect(lines.join('\n')).toContain(`Home       ${home.path}`)
    expect(lines.join('\n')).not.toContain(new URL(stack.databaseUrl).password)
    expect((await schemaState(stack.databaseUrl)).pending).toEqual([])
    expect((await fetch(stack.webUiUrl ?? '')).status).toBe(200)
    expect((await fetch(stack.sampleServiceUrl ?? '')).status).toBe(200)
    expect(JSON.parse(readFileSync(join(home.path, 'fake-worker.json'), 'utf8'))).toEqual({
      TEMPORAL_ADDRESS: stack.temporalAddress,
      DATABASE_URL: stack.databaseUrl,
      RECORD_LINKER_SAMPLE_URL: stack.sampleServiceUrl,
      RECORD_LINKER_HOME: home.path,
    })
  })

  it('keeps closed workflows for 30 days and registers our search attributes', async () => {
    const connection = await Connection.connect({ address: stack.temporalAddress })
    try {
      const namespace = stack.temporalNamespace
      const { config } = await connection.workflowService.describeNamespace({ namespace })
      expect(tsToMs(config?.workflowExecutionRetentionTtl)).toBe(30 * 24 * 60 * 60 * 1000)
      const known = await connection.operatorService.listSearchAttributes({ namespace })
      expect(Object.keys(known.customAttributes)).toEqual(
        expect.arrayContaining(['RecordLinkerProject', 'RecordLinkerStatus']),
      )
    } finally {
      await connection.close()
    }
  })

  it('lets only its owner read the home and the database password', async () => {
    expect(statSync(home.path).mode & 0o077).toBe(0)
    for (const file of ['password', 'databaseUrl', 'keeper'] as const) {
      expect(statSync(homePaths(home.path)[file]).mode & 0o077).toBe(0)
    }
  })

  it('is found by a second command, which says nothing and starts nothing', async () => {
    const running = home.running()
    const said: string[] = []
    const second = await home.ensure((line) => said.push(line))

    expect({ ...second, close: undefined }).toEqual({ ...stack, close: undefined })
    expect(said).toEqual([])
    expect(home.running()).toEqual(running)
    second.close()
  })

  it('refuses a command that asks for other servers than the running stack has', async () => {
    const other = makeStackHome({ DATABASE_URL: stack.databaseUrl })
    const config = { ...other.config, home: home.path }
    await expect(other.ensureWith(config)).rejects.toMatchObject({ code: 'stack_differs' })
    await other.remove()
  })

  it('can serve as external servers: then nothing is started', async () => {
    const other = makeStackHome({
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
    })
    const external = await other.ensure()
    expect(external.databaseUrl).toBe(stack.databaseUrl)
    expect(other.running()).toEqual([])
    await other.remove()
  })
})

describe('the start of a stack', () => {
  let home: StackHome
  beforeEach(() => {
    home = makeStackHome()
  })
  afterEach(() => home.remove())

  it('is one stack when two commands start it at the same moment', async () => {
    const [first, second] = await Promise.all([home.ensure(), home.ensure()])
    expect(second.databaseUrl).toBe(first.databaseUrl)
    expect(second.temporalAddress).toBe(first.temporalAddress)
    expect(home.running()).toHaveLength(5)
    first.close()
    second.close()
  })

  it('keeps its addresses over a restart, but leaves a port that a stranger took meanwhile', async () => {
    const before = await home.ensure()
    before.close()
    await home.stop()
    const port = Number(new URL(before.databaseUrl).port)
    const stranger = createServer().listen(port, '127.0.0.1')
    try {
      const lines: string[] = []
      const after = await home.ensure((line) => lines.push(line))
      expect(after.temporalAddress).toBe(before.temporalAddress)
      expect(after.webUiUrl).toBe(before.webUiUrl)
      expect(Number(new URL(after.databaseUrl).port)).toBeGreaterThan(port)
      expect(lines).toContainEqual(
        expect.stringContaining(`Port ${port} is held by another program`),
      )
      after.close()
    } finally {
      stranger.close()
    }
  })

  it('tells why a part did not start, and leaves nothing running', async () => {
    const broken = new URL('./fakes/broken-keeper.mjs', import.meta.url)
    await expect(home.ensure(undefined, broken)).rejects.toMatchObject({
      code: 'program_not_started',
      message: expect.stringContaining('the worker ended while it started:\nno luck today'),
      hint: expect.stringContaining('worker.log'),
    })
    await expect.poll(() => home.running(), { timeout: 20_000 }).toEqual([])
  })

  it('says which external server cannot be reached', async () => {
    const other = makeStackHome({
      DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    })
    await expect(other.ensure()).rejects.toMatchObject({
      code: 'server_unreachable',
      message: expect.stringContaining('TEMPORAL_ADDRESS'),
    })
    await other.remove()
  })
})
