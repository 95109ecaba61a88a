/** `serve-source` as its own process, read with the profile `looker` that is shipped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readProfile } from '../../../src/client/extract/profile-file.ts'
import { packageRoot } from '../../../src/config.ts'
import { domainKey } from '../../../src/core/domain-key.ts'
import { startSourceService } from '../../../src/source/source-service.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { extract, newDataset, presentIds } from './extraction.ts'

const PROGRAM = `
import { main } from './src/client/cli.ts'
process.exitCode = await main(process.argv.slice(1))
`

let server: MatchServer
let child: ChildProcess | undefined
let written = { stdout: '', stderr: '' }
const credentials: Record<string, string> = {}

beforeAll(async () => {
  server = await startMatchServer({ random: () => 0, credentials })
})
afterAll(() => server.close())
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

/** @returns the address of the API, once it is served */
async function serve(...flags: readonly string[]): Promise<string> {
  written = { stdout: '', stderr: '' }
  const started = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, '--', 'serve-source', ...flags],
    { cwd: packageRoot, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  child = started
  started.stdout.on('data', (chunk) => (written.stdout += String(chunk)))
  started.stderr.on('data', (chunk) => (written.stderr += String(chunk)))
  const ended = once(started, 'exit').then(() => {
    throw new Error(`serve-source ended: ${written.stderr}`)
  })
  // Awaited only until it serves.
  ended.catch(() => undefined)
  while (!written.stdout.includes('\n')) await Promise.race([once(started.stdout, 'data'), ended])
  return written.stdout.trim()
}

const config = { batchSize: 20, workers: 4 }

async function looker(address: string, types?: readonly string[]) {
  credentials[domainKey(address)] = 'demo:demo'
  const { profile } = await readProfile('looker', address)
  const wanted = profile.types.filter(({ name }) => types?.includes(name) ?? true)
  return { ...profile, types: wanted, name: `looker-${domainKey(address)}`.replace(/\W/g, '-') }
}

it('says its address, how it is read, and ends when it is interrupted', async () => {
  const address = await serve('--users', '3')
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/4\.0$/)
  child?.kill('SIGINT')
  // By then all of stderr has come.
  expect(await once(child ?? process, 'close')).toEqual([0, null])
  expect(written.stderr).toContain(
    `./record-linker extract start --profile looker --base-url ${address} --dataset bi`,
  )
  expect(written.stderr).toContain('RECORD_LINKER_CREDENTIALS=')
})

it('is read whole by the profile looker: all types, pages and details', async () => {
  const profile = await looker(await serve('--users', '55', '--dashboards', '12', '--looks', '41'))
  const dataset = newDataset()
  const { run, report } = await extract(server, { profile, dataset, config })
  expect(run.status).toBe('completed')
  expect(report.types.filter(({ state }) => state !== 'complete')).toEqual([])
  const items = Object.fromEntries(report.types.map(({ type, items: count }) => [type, count]))
  expect(items).toMatchObject({ users: 55, groups: 40, folders: 60, looks: 41, lookml_models: 12 })
  expect(report.types.find(({ type }) => type === 'dashboards')).toMatchObject({ details: 12 })
  expect(await presentIds(server, `${dataset}-dashboards`)).toContain('model_1::dashboard_10')
})

it('is read whole although requests fail, pages are small and tokens end, and says which details are forbidden', async () => {
  const service = await startSourceService({
    size: { users: 95, groups: 0, folders: 0, looks: 0, dashboards: 4, models: 0 },
    faultPercent: 10,
    mostRows: 15,
    forbiddenDetails: 1,
    tokenLifeS: 1,
  })
  try {
    const profile = await looker(service.url, ['users', 'dashboards'])
    const { run, report } = await extract(server, { profile, config, maxAttempts: 10 })
    expect(run.status).toBe('completed_with_errors')
    expect(report.types).toMatchObject([
      { type: 'users', state: 'complete', items: 95 },
      { type: 'dashboards', state: 'complete', items: 4, details: 3, errors: 1 },
    ])
  } finally {
    await service.close()
  }
})
