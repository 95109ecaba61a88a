/**
 * Whose death makes a record poison: that of the process which judges it alone, never that of a worker.
 *
 *   npm run test:faults -- test/faults/poison.test.ts        30 workers are killed
 *   RECORD_LINKER_KILLS=4 …                                  fewer
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { obtainTemporalServer } from '../../scripts/set-up/temporal-server.mjs'
import { seededRandom } from '../../bench/limiter/seeded-random.ts'
import { waitForEnd } from '../../src/client/stack/background-process.ts'
import { isRunning } from '../../src/client/stack/process-identity.mjs'
import { type BrandService, importBrands, startBrandService } from '../support/brands.ts'
import { type Cli, createCli } from '../support/cli.ts'
import type { RunningCommand } from '../support/running-command.ts'
import { type Guardian, startGuardian } from '../support/start-guardian.ts'
import { templateDatabase } from '../support/template-database.ts'
import { makeTestFolder, startTestPostgres, startTestTemporal } from '../support/test-servers.ts'
import { report } from './report.ts'

const hook = new URL('../support/poison/poison-hook.mjs', import.meta.url).href

let service: BrandService
beforeAll(async () => {
  service = await startBrandService({ delayMs: 20 })
})
afterAll(() => service.close())

describe('deaths of workers', () => {
  const KILLS = Number(process.env['RECORD_LINKER_KILLS'] ?? 30)
  const RECORDS = 2_000
  /** Of the batches that a worker lives for. */
  const MOST_BATCHES = 12
  const LOOK_EVERY_MS = 5
  const DEATH_LIMIT_MS = 30_000
  const PROJECT = 7
  const flags = ['--project', String(PROJECT), '-o', 'json']

  let guardian: Guardian
  let cli: Cli
  let database: Client
  beforeAll(async () => {
    guardian = startGuardian()
    const folder = makeTestFolder(guardian)
    const url = new URL(await startTestPostgres(guardian, folder))
    url.pathname = templateDatabase
    const temporal = await startTestTemporal(guardian, folder, await obtainTemporalServer())
    cli = createCli({ DATABASE_URL: url.href, TEMPORAL_ADDRESS: temporal })
    database = new Client({ connectionString: url.href })
    await database.connect()
  })
  afterAll(async () => {
    await database.end()
    await cli.remove()
    await guardian.cleanUp()
  })

  /** Of the tasks that a living or a dead worker is deciding, the last record each. */
  const marked = async (): Promise<readonly number[]> => {
    const { rows } = await database.query<{ id: number }>(
      'select marked_subject_id as id from task where marked_subject_id is not null order by id',
    )
    return rows.map(({ id }) => id)
  }
  const startWorker = async (): Promise<RunningCommand> => {
    const worker = cli.start('worker')
    await worker.until('The worker is ready')
    return worker
  }
  const kill = async ({ mark }: RunningCommand): Promise<void> => {
    process.kill(mark.pid, 'SIGKILL')
    expect(await waitForEnd(mark, DEATH_LIMIT_MS)).toBe(true)
  }
  /** Every second one dies as soon as it has begun to decide records, the others after some batches. */
  const livesUntil = async (
    worker: RunningCommand,
    turn: number,
    random: () => number,
  ): Promise<void> => {
    const sent = service.requests.length
    const before = new Set(await marked())
    const batches = 1 + Math.floor(random() * MOST_BATCHES)
    const isDue =
      turn % 2 === 0
        ? async () => (await marked()).some((id) => !before.has(id))
        : async () => service.requests.length >= sent + batches
    while (!(await isDue())) {
      if (!isRunning(worker.mark)) throw new Error(`The worker ended:\n${worker.stderr()}`)
      await sleep(LOOK_EVERY_MS)
    }
  }
  const isOver = async (): Promise<boolean> => {
    const { rows } = await database.query(`select 1 from run where status <> 'open'`)
    return rows.length > 0
  }

  it('make no record poison', async () => {
    const random = seededRandom(30, 'kills')
    await importBrands(cli, PROJECT, service.ownAddress(), RECORDS)
    await cli.data('limits', 'set', service.domain, '--max-rps', '20')
    let inTheMiddle = 0
    await cli.data('start-match', ...flags, '--detach')
    for (let turn = 0; turn < KILLS; turn += 1) {
      const worker = await startWorker()
      await livesUntil(worker, turn, random)
      await kill(worker)
      if ((await marked()).length > 0) inTheMiddle += 1
      expect(await isOver()).toBe(false)
    }
    const last = await startWorker()
    const { code, stdout } = await cli.run('status', ...flags, '--wait')
    last.interrupt()
    await last.ended
    report(`${KILLS} workers killed, ${inTheMiddle} of them while they decided`)
    expect(code).toBe(0)
    expect(JSON.parse(stdout).entries).toMatchObject({ completed: RECORDS, failed: 0 })
    expect(JSON.parse(await cli.data('failures', ...flags))).toEqual([])
    expect(inTheMiddle).toBeGreaterThan(0)
  }, 1_800_000)
})

describe('one record that kills whoever judges it, among fifty', () => {
  const RECORDS = 50
  const flags = ['--project', '8', '-o', 'json']
  let folder: string
  let poison: string
  let cli: Cli
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'record-linker-poison-'))
    poison = join(folder, 'poison')
    writeFileSync(poison, '')
    cli = createCli({ NODE_OPTIONS: `--import ${hook}`, POISON_FILE: poison })
    const lines = Array.from(
      { length: RECORDS },
      (_, n) => `b${n},${n === 20 ? 'Poison' : 'Brand'} ${n}`,
    )
    const file = cli.file('brands.csv', ['id,name', ...lines, ''].join('\n'))
    const columns = ['--id', 'id', '--name', 'name']
    await cli.data('import', file, '--project', '8', '--service', service.ownAddress(), ...columns)
  })
  afterAll(async () => {
    await cli.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const outcome = async (...command: readonly string[]) => {
    const { code, stdout } = await cli.run(...command, ...flags)
    const { completed, failed } = JSON.parse(stdout).entries
    return { code, completed, failed }
  }
  const onlyPoison = { code: 3, completed: RECORDS - 1, failed: 1 }

  it('is the only one that fails, though it kills the worker itself; its neighbours are decided', async () => {
    const worker = cli.processes().worker
    expect(worker).toBeDefined()
    expect(await outcome('start-match', '--entries-per-task', String(RECORDS))).toEqual(onlyPoison)
    expect(cli.processes().worker).not.toEqual(worker)
  })

  it('is listed by failures with its way out', async () => {
    const groups = JSON.parse(await cli.data('failures', ...flags))
    expect(groups).toMatchObject([{ code: 'poison', count: 1, example: { entry: 'b20' } }])
    expect(groups[0].next).toContain('./record-linker retry-failed --project 8 --code poison')
  })

  it('fails again when it is tried again, and is matched once the program can judge it', async () => {
    const retry = ['retry-failed', '--code', 'poison']
    expect(await outcome(...retry)).toEqual(onlyPoison)
    rmSync(poison)
    expect(await outcome(...retry)).toEqual({ code: 0, completed: RECORDS, failed: 0 })
  })
})
