/** The commands of `download`, one process each, from a list to a folder of files. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Cli, createCli } from '../../support/cli.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'

// A dozen processes, servers that start and end.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 400_000 })

let cli: Cli
let origin: FileOrigin
beforeAll(async () => {
  cli = createCli()
  origin = await startFileOrigin()
})
afterAll(async () => {
  await cli.remove()
  await origin.close()
})

it('a list is imported, fetched, tried again where it failed, and exported under readable names', async () => {
  origin.serve('/a.txt', { body: 'file a' })
  origin.script('/b.txt', [{ status: 404 }, { body: 'file b' }])
  const list = cli.file(
    'list.csv',
    [
      'id,url,name',
      `a,${origin.url('/a.txt')},First`,
      'bad,ftp://example.org/x,',
      `b,${origin.url('/b.txt')},Second`,
      'none,,',
    ].join('\n'),
  )
  const config = cli.file(
    'queue.json',
    JSON.stringify({ allowedAddresses: ['127.0.0.0/8'], reserveBytes: 0, backoffMs: [100] }),
  )
  const bad = cli.file('bad.json', JSON.stringify({ maxPerHost: 0, nonsense: 1, backoffMs: [] }))

  const wrong = await cli.run('queue', 'import', list, '-c', bad)
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(/maxPerHost[^]*backoffMs|backoffMs[^]*maxPerHost/),
  ])
  expect(wrong.stderr).toContain('nonsense')

  const imported = await cli.run('queue', 'import', list, '-c', config, '-o', 'json')
  expect([imported.code, JSON.parse(imported.stdout)]).toMatchObject([
    3,
    { inserted: 2, existing: 0, rejected: [{ line: 3 }, { line: 5 }] },
  ])

  const run = await cli.run('download', 'run', '--drain', '-o', 'json')
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([
    3,
    {
      queue: 'default',
      done: 1,
      error: 1,
      reasons: { 'not-found': 1 },
      failures: [{ reason: 'not-found', jobs: 1, artifact: 'b' }],
    },
  ])
  const shown = await cli.run('queue', 'show', 'b')
  expect(shown.stdout).toMatch(/b: error \(not-found\)/)
  const byAddress = await cli.run('queue', 'show', origin.url('/b.txt'))
  expect(byAddress.stdout).toMatch(/b: error \(not-found\)/)
  expect(byAddress.stderr).not.toContain('retry-failed')
  expect(run.stderr).not.toContain('retry-failed')
  const asJson = await cli.run('queue', 'show', 'b', '-o', 'json')
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    state: 'error',
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  })

  expect((await cli.run('queue', 'retry-failed', '--reason', 'not-found')).code).toBe(0)
  expect((await cli.run('queue', 'run', '--drain')).code).toBe(0)
  expect(origin.requests('/a.txt')).toHaveLength(1)

  const images = join(dirname(list), 'files')
  const manifest = await cli.run(
    'download',
    'export',
    '--to',
    images,
    '--name',
    '{id}-{n}',
    '--manifest',
    '-',
  )
  expect(readdirSync(images).toSorted()).toEqual(['a-1.txt', 'b-1.txt'])
  expect(readFileSync(join(images, 'b-1.txt'), 'utf8')).toBe('file b')
  const lines = manifest.stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(lines).toMatchObject([
    { artifact: 'a', outcome: 'done' },
    { artifact: 'b', outcome: 'done', name: 'Second' },
  ])
  expect((await cli.run('queue', 'export', '--attempts', '-')).stdout).toMatch(
    /^at,job,artifact[^]*http-get,404,not-found/,
  )
  expect(JSON.parse((await cli.run('queue', 'verify', '-o', 'json')).stdout)).toMatchObject({
    whole: 2,
    broken: 0,
    missing: 0,
  })
  expect((await cli.run('queue', 'gc', '--dry-run')).code).toBe(0)

  expect((await cli.run('download', 'enqueue', origin.url('/c.txt'))).code).toBe(0)
  const cancelled = await cli.run(
    'queue',
    'cancel',
    '--job',
    `url:${origin.url('/c.txt')}`,
    '-o',
    'json',
  )
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ queued: 0, skipped: 1 })
  expect((await cli.run('queue', 'pause')).stdout).toContain('Queue default')
  expect(JSON.parse((await cli.run('queue', 'stats', '-o', 'json')).stdout)).toMatchObject({
    pausedReason: 'by user',
  })
  expect((await cli.run('queue', 'resume')).code).toBe(0)
  expect((await cli.run('queue', 'stats', '--queue', 'other')).code).toBe(2)
})

it('Ctrl-C leaves a queue going, and the same command joins it', async () => {
  let end = () => undefined as void
  const held = new Promise<void>((resolve) => (end = resolve))
  origin.serve('/held', { body: 'held', before: held })
  const own = ['--queue', 'held']
  const config = cli.file(
    'queue.json',
    JSON.stringify({ allowedAddresses: ['127.0.0.0/8'], reserveBytes: 0 }),
  )
  await cli.run('download', 'enqueue', origin.url('/held'), ...own, '-c', config)
  const running = cli.start('download', 'run', '--drain', ...own)
  await running.until('Started the queue')
  while (origin.requests('/held').length === 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
  running.interrupt()
  expect(await running.ended).toMatchObject({ code: 130 })
  end()
  const joined = await cli.run('download', 'run', '--drain', ...own, '-o', 'json')
  expect([joined.code, JSON.parse(joined.stdout)]).toMatchObject([0, { done: 1 }])
  expect(origin.requests('/held')).toHaveLength(1)
})
