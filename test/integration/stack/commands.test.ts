import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCli, type Cli } from '../../support/cli.ts'

const answer = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), state: z.string(), fix: z.string() })),
})

describe('the commands of the stack', () => {
  let cli: Cli
  beforeAll(() => {
    cli = createCli({ RECORD_LINKER_CONTACT: 'someone@example.org' })
  })
  afterAll(() => cli.remove())

  it('doctor starts nothing: that nothing runs is a note, since commands start the servers', async () => {
    const { code, stdout } = await cli.run('doctor', '-o', 'json')
    expect(code).toBe(0)
    const { ok, checks } = answer.parse(JSON.parse(stdout))
    expect(ok).toBe(true)
    expect(checks.filter((check) => check.state === 'note')).toMatchObject([
      { name: 'Servers', fix: './record-linker up --background' },
    ])
    expect(cli.processes()).toEqual({})
  })

  it('down says that nothing runs', async () => {
    expect(JSON.parse(await cli.data('down', '-o', 'json'))).toEqual({
      status: 'nothing_ran',
      home: cli.home,
    })
  })

  it('Ctrl-C while a command starts the servers says that they go on starting', async () => {
    const status = cli.start('status')
    await status.until('Starting the servers')
    status.interrupt()
    const { code, stderr } = await status.ended
    expect(code).toBe(130)
    expect(stderr).toContain('The servers go on starting')
  })

  it('up --background prints the addresses; then the doctor finds everything well', async () => {
    const addresses = JSON.parse(await cli.data('up', '--background', '-o', 'json'))
    expect(addresses).toMatchObject({ home: cli.home, temporalNamespace: 'default' })
    expect(Object.keys(cli.processes()).toSorted()).toEqual([
      'keeper',
      'postgres',
      'sampleService',
      'temporal',
      'worker',
    ])
    const { checks } = answer.parse(JSON.parse(await cli.data('doctor', '-o', 'json')))
    expect(Object.fromEntries(checks.map(({ name, state }) => [name, state]))).toEqual({
      Node: 'ok',
      'Node modules': 'ok',
      Servers: 'ok',
      PostgreSQL: 'ok',
      Schema: 'ok',
      Temporal: 'ok',
      Namespace: 'ok',
      Worker: 'ok',
      'Sample service': 'ok',
      Contact: 'ok',
    })
  })

  it('up in the foreground does not start a second stack', async () => {
    const { code, stdout, stderr } = await cli.run('up')
    expect(code).toBe(0)
    expect(stderr).toContain('The servers run already')
    expect(stderr).toContain('./record-linker review')
    expect(stdout).toContain('Web UI')
  })

  it('migrate finds the embedded database up to date', async () => {
    expect(JSON.parse(await cli.data('migrate', '-o', 'json'))).toEqual({
      applied: [],
      searchAttributes: true,
    })
  })

  it('down stops everything and resolves when it is down', async () => {
    expect(JSON.parse(await cli.data('down', '-o', 'json')).status).toBe('stopped')
    expect(cli.processes()).toEqual({})
  })

  it('Ctrl-C in the foreground stops all in order, and the data stays', async () => {
    const up = cli.start('up')
    await up.until('Ctrl-C stops them all.')
    expect(up.stdout()).toContain(`Home       ${cli.home}`)
    up.interrupt()
    const { code, stderr } = await up.ended
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /worker …\n.*sample service …\n.*Temporal …\n.*PostgreSQL …\nAll stopped/,
    )
    expect(cli.processes()).toEqual({})
  })

  it('a second Ctrl-C stops all at once', async () => {
    const up = cli.start('up')
    await up.until('Ctrl-C stops them all.')
    up.interrupt()
    await up.until('Stopping the worker …')
    up.interrupt()
    expect((await up.ended).code).toBe(0)
    expect(cli.processes()).toEqual({})
  })
})

it('config shows values and sources without a password, and starts nothing', async () => {
  const cli = createCli({
    DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/mine',
    RECORD_LINKER_CREDENTIALS: '{"service.example.org": "kim:secret"}',
  })
  const stdout = await cli.data('config', '-o', 'json')
  expect(stdout).not.toContain('secret')
  expect(JSON.parse(stdout)).toMatchObject({
    DATABASE_URL: { value: 'postgresql://me:***@127.0.0.1:1/mine', source: 'environment' },
    RECORD_LINKER_CREDENTIALS: { value: '{"service.example.org":"***"}' },
    TEMPORAL_ADDRESS: { value: null, source: 'default' },
    RECORD_LINKER_HOME: { value: cli.home, source: 'environment' },
  })
  expect(cli.processes()).toEqual({})
  await cli.remove()
})

it('a wrong setting is wrong usage, with all violations told', async () => {
  const cli = createCli({ RECORD_LINKER_LOG_LEVEL: 'loud', TEMPORAL_ADDRESS: 'here' })
  const { code, stdout, stderr } = await cli.run('config')
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/TEMPORAL_ADDRESS: expected .*RECORD_LINKER_LOG_LEVEL: expected/)
  await expect(cli.remove()).rejects.toThrow('down ended with 2')
})
