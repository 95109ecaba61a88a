/** `match set`: window, priority and weight, changed while runs go on. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import { defaultMatchSizes } from '../../../src/core/match-run.ts'
import { changePace } from '../../../src/db/pace.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { progressQuery, setWindowSignal } from '../../../src/workflows/messages.ts'
import { createCli } from '../../support/cli.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import type { MatchBenchHandle } from '../../support/match-bench.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { signalsOf } from '../../support/signals-of.ts'

/** Less than the busiest machine asks for, so that it is shared. */
const RATE_PER_SECOND = 3

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer({
    policyFor: (domain) => ({
      ...defaultPolicy(domain),
      strategy: 'fixed',
      maxRps: RATE_PER_SECOND,
    }),
  })
})
afterAll(() => server.close())

let letGo: () => void
/** Every batch waits until `letGo`. */
function hold(): void {
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  server.service.respond(async (request) => {
    if (request.queries === null) return manifestAnswer(request)
    await gone
    return answerByName(request)
  })
}

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, name: `Name ${index}` }))
const newProject = (address: string, count: number) =>
  createTestProject(server.bench.db, address, names(count), {
    mapping: { name: 'name', variants: [], properties: [] },
  })
const inFlight = async (handle: MatchBenchHandle) =>
  (await handle.query(progressQuery)).tasksInFlight
const untilInFlight = (handle: MatchBenchHandle, count: number) =>
  vi.waitFor(async () => expect(await inFlight(handle)).toBe(count), { timeout: 20_000 })

describe('the window', () => {
  beforeEach(hold)

  it('is what the project says at the start, and what it is told while it runs', async () => {
    const { bench } = server
    const { id } = await newProject(server.ownAddress(), 40)
    await changePace(bench.db, id, { window: 3 })
    const handle = await bench.start(id, { options: { entriesPerTask: 1 } })
    await untilInFlight(handle, 3)
    await handle.signal(setWindowSignal, { window: 10 })
    await untilInFlight(handle, 10)
    // Nothing that runs is broken off, and what is no number of tasks changes nothing.
    await handle.signal(setWindowSignal, { window: 2 })
    await handle.signal(setWindowSignal, { window: 0 })
    await handle.signal<[unknown]>('setWindow', null)
    expect(await inFlight(handle)).toBe(10)
    const task = bench.client.workflow.getHandle(`match-project/${id}/run-1/task-1`)
    expect(await windowsOf(task)).toEqual([])
    letGo()
    await handle.result()
    expect((await countProject(bench.db, id)).completed).toBe(40)
  })

  it('goes to the shards that run and to the next execution', async () => {
    const { bench } = server
    const { id } = await newProject(server.ownAddress(), 30)
    const handle = await bench.start(id, {
      options: { entriesPerTask: 1 },
      sizes: { tasksPerShard: 5, shardsInFlight: 2, shardsPerExecution: 2, window: 8 },
    })
    const shard = bench.client.workflow.getHandle(`match-project/${id}/run-1/shard-0`)
    await untilInFlight(handle, 2)
    await handle.signal(setWindowSignal, { window: 6 })
    await vi.waitFor(async () => expect(await windowsOf(shard)).toEqual([{ window: 3 }]), {
      timeout: 20_000,
    })
    letGo()
    await handle.result()
    expect((await countProject(bench.db, id)).completed).toBe(30)
    const last = bench.client.workflow.getHandle(`match-project/${id}`)
    expect(await startedWith(last)).toMatchObject({ sizes: { window: 6, tasksPerShard: 5 } })
    const lastShard = bench.client.workflow.getHandle(`match-project/${id}/run-1/shard-5`)
    expect(await startedWith(lastShard)).toMatchObject({ window: 3 })
  })
})

type History = Awaited<ReturnType<MatchBenchHandle['fetchHistory']>>
type WithHistory = { fetchHistory(): Promise<History> }
const decoded = (data: Uint8Array | null | undefined) =>
  JSON.parse(Buffer.from(data ?? []).toString()) as unknown

/** Windows that it was told. */
async function windowsOf(handle: WithHistory): Promise<readonly unknown[]> {
  const told = await signalsOf(handle)
  return told.filter(({ name }) => name === setWindowSignal.name).map(({ payload }) => payload)
}

async function startedWith(handle: WithHistory): Promise<unknown> {
  const { events } = await handle.fetchHistory()
  const started = events?.[0]?.workflowExecutionStartedEventAttributes
  return decoded(started?.input?.payloads?.[0]?.data)
}

interface Share {
  /** Batches of the first that are looked at. */
  readonly until: number
  /** Batches of the second before that. */
  readonly secondHas: number
  /** Done when both ask; then what waits already is let through. */
  readonly change?: () => Promise<unknown>
}

/** Each task of both projects asks for its permit before it is granted, on the terms of that moment. */
const WAITING = 2 * defaultMatchSizes.window

describe('two projects that share a domain', () => {
  /** Both run at once; how many batches the second had when the first had had so many, once all its tasks ask. */
  async function share(
    first: number,
    second: number,
    { until, secondHas, change }: Share,
  ): Promise<number> {
    const { bench, service } = server
    service.respond(answerByNameOrManifest)
    const begin = service.requests.length
    const batchesOf = (address: string) =>
      service.requests
        .slice(begin)
        .filter(({ path, queries }) => queries !== null && address.endsWith(path)).length
    const [a, b] = [addresses.get(first) ?? '', addresses.get(second) ?? '']
    const options = { entriesPerTask: 1 }
    const handles = [await bench.start(first, { options }), await bench.start(second, { options })]
    await service.until(() => batchesOf(a) > 5 && batchesOf(b) >= secondHas)
    if (change !== undefined) {
      await change()
      const changed = batchesOf(a) + batchesOf(b)
      await service.until(() => batchesOf(a) + batchesOf(b) - changed >= WAITING)
    }
    const [fromA, fromB] = [batchesOf(a), batchesOf(b)]
    await service.until(() => batchesOf(a) - fromA >= until)
    const had = batchesOf(b) - fromB
    for (const handle of handles) {
      await handle.cancel()
      await handle.result().catch(() => undefined)
    }
    return had
  }
  const answerByNameOrManifest = answerByName
  const addresses = new Map<number, string>()
  async function pair(): Promise<[number, number]> {
    const ids: number[] = []
    for (let index = 0; index < 2; index += 1) {
      const address = server.ownAddress()
      const { id } = await newProject(address, 400)
      addresses.set(id, address)
      ids.push(id)
    }
    return [ids[0] ?? 0, ids[1] ?? 0]
  }

  it('get its permits by weight, 3 to 1, as soon as it is changed while both run', async () => {
    const [heavy, light] = await pair()
    const change = () => changePace(server.bench.db, heavy, { weight: 3 })
    const had = await share(heavy, light, { until: 30, secondHas: 5, change })
    expect(had).toBeGreaterThanOrEqual(5)
    expect(had).toBeLessThanOrEqual(18)
  })

  it('get them by priority: the lower one keeps about a tenth', async () => {
    const [urgent, patient] = await pair()
    await changePace(server.bench.db, urgent, { priority: 'high' })
    await changePace(server.bench.db, patient, { priority: 'low' })
    const had = await share(urgent, patient, { until: 45, secondHas: 1 })
    expect(had).toBeGreaterThanOrEqual(1)
    expect(had).toBeLessThanOrEqual(15)
  })
})

describe('the command', () => {
  it('match set stores what is named, shows it, and tells a run its window', async () => {
    const { bench, options } = server
    const cli = createCli({
      DATABASE_URL: options.databaseUrl,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
    })
    try {
      const { id } = await newProject(server.ownAddress(), 40)
      const set = async (...flags: string[]) =>
        JSON.parse(await cli.data('match', 'set', '--project', String(id), ...flags, '-o', 'json'))
      expect(await set('--weight', '2.5', '--priority', 'low')).toEqual({
        project: id,
        window: null,
        priority: 'low',
        weight: 2.5,
        running: null,
      })
      expect(await set('--window', '7')).toMatchObject({ window: 7, weight: 2.5, running: false })
      hold()
      const handle = await bench.start(id, { options: { entriesPerTask: 1 } })
      await untilInFlight(handle, 7)
      expect(await set('--window', 'default')).toMatchObject({ window: null, running: true })
      await untilInFlight(handle, 24)
      letGo()
      await handle.cancel()
      await handle.result().catch(() => undefined)
      const shown = await cli.run('project', 'show', String(id))
      expect(shown.stdout).toContain('priority low, weight 2.5, window 24 (default)')
      const bad = await cli.run('match', 'set', '--project', String(id), '--weight', '0')
      expect(bad.code).toBe(2)
    } finally {
      await cli.remove()
    }
  })
})
