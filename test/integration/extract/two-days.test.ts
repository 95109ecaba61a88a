/** The walk of somebody who reads a source twice, on the command line: extract, retry, match, extract again, compare. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { domainKey } from '../../../src/core/domain-key.ts'
import { startSourceService } from '../../../src/source/source-service.ts'
import { type Cli, createCli } from '../../support/cli.ts'

/** A dozen processes, servers that start and end. */
const WALK_MS = 300_000
const size = { users: 40, groups: 5, folders: 5, looks: 5, dashboards: 4, models: 2 }

let cli: Cli
let source: Awaited<ReturnType<typeof startSourceService>>
beforeAll(async () => {
  source = await startSourceService({ size, forbiddenDetails: 1 })
  const credentials = { [domainKey(source.url)]: 'demo:demo' }
  cli = createCli({ RECORD_LINKER_CREDENTIALS: JSON.stringify(credentials) })
})
afterAll(async () => {
  await cli.remove()
  await source.close()
})

/** The same source at the same address, otherwise. */
async function serveAnew(day: number): Promise<void> {
  await source.close()
  source = await startSourceService({ size, day, port: Number(new URL(source.url).port) })
}

it(
  'reads a source, asks again for what failed, matches it, reads it a day later and tells what changed',
  async () => {
    const json = async (expected: number, ...args: readonly string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await cli.run('extract', ...args, '-o', 'json')
      expect([args, code, code === expected ? '' : stderr]).toEqual([args, expected, ''])
      return JSON.parse(stdout)
    }
    const address = ['--profile', 'looker', '--base-url', source.url]
    const run = ['run', ...address, '--dataset', 'bi', '--types', 'users,dashboards']
    const paged = [...run, '--batch-size', '15', '--workers', '2']
    const types = (...each: readonly object[]) => ({ types: each })

    expect(await json(3, ...paged)).toMatchObject({ run: 1, status: 'completed_with_errors' })
    expect(await json(3, 'retry-failed', '1')).toMatchObject({ errors: 1 })
    await serveAnew(1)
    expect(await json(0, 'retry-failed', '1')).toMatchObject({
      status: 'completed',
      errors: 0,
      ...types({ type: 'users', items: 40 }, { type: 'dashboards', items: 4, details: 4 }),
    })
    const toProject = ['users', '--service', 'sample', '--name', '{first_name} {last_name}']
    const project = await json(0, 'to-project', '1', ...toProject)
    expect(project).toMatchObject({ dataset: 'bi-users', records: 40 })

    await serveAnew(2)
    expect(await json(0, ...paged)).toMatchObject({
      run: 2,
      ...types(
        { type: 'users', landed: { new: 1, changed: 1, unchanged: 38, absent: 1 } },
        { type: 'dashboards', items: 4 },
      ),
    })
    expect(await json(0, 'diff', '1', '2', '--type', 'users')).toMatchObject({
      ...types({ type: 'users', added: 1, changed: 1, removed: 1, unclear: 0, same: 38 }),
      changes: [{ kind: 'changed' }, { kind: 'added', id: '41' }, { kind: 'removed' }],
    })
    expect(await json(0, 'to-project', '2', ...toProject)).toEqual(project)

    const csv = await cli.data('extract', 'export', '2', '--type', 'users', '--format', 'csv')
    expect(csv.trimEnd().split('\n')).toHaveLength(1 + 40)
    const unsaid = await cli.run('extract', 'export', '2')
    expect([unsaid.code, unsaid.stdout]).toEqual([2, ''])
    expect(unsaid.stderr).toContain('It has: users, dashboards')
    const path = cli.file('mine.jsonl', 'mine\n')
    const over = await cli.run('extract', 'export', '2', '--type', 'users', '-o', path)
    expect([over.code, over.stdout]).toEqual([2, ''])
    expect(over.stderr).toContain('--force')
  },
  WALK_MS,
)
