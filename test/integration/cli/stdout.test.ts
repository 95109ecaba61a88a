/** What every command writes to stdout is data; `-o json` is one JSON document, whatever happens on stderr. */
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProgram } from '../../../src/client/cli.ts'
import { type BrandService, startBrandService } from '../../support/brands.ts'
import { type Cli, createCli } from '../../support/cli.ts'
import { countedItems, type FakeSource, startFakeSource } from '../../support/fake-source.ts'

/** As few as weights can be learned from. */
const RECORDS = 50
/** Some forty processes one after the other, also on a machine that does much else. */
const EACH_COMMAND_MS = 600_000

let cli: Cli
let service: BrandService
let source: FakeSource
beforeAll(async () => {
  cli = createCli({}, { sharesProcesses: true })
  service = await startBrandService()
  source = await startFakeSource({ items: countedItems(30) })
})
afterAll(async () => {
  await service.close()
  await source.close()
  await cli.remove()
})

it(
  'of each command with -o json is one JSON document, from the first start of the servers to their end',
  async () => {
    const ids = Array.from({ length: RECORDS }, (_, at) => String(at + 1))
    const brands = cli.file(
      'brands.csv',
      `id,name\n${ids.map((id) => `${id},Brand ${id}`).join('\n')}\n`,
    )
    const gold = cli.file('gold.csv', `id,qid\n${ids.map((id) => `${id},NIL`).join('\n')}\n`)
    const verdicts = cli.file('verdicts.csv', 'id,verdict,qid\n1,match,Q1010\n')
    const create = ['project', 'create', '--dataset', 'brands', '--service', service.ownAddress()]
    const told = new Set<string>()
    let letGo = () => undefined as void
    const json = async (...args: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await cli.run(...args, '-o', 'json')
      expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, ''])
      const data: unknown = JSON.parse(stdout)
      for (const path of paths) if (args.join(' ').startsWith(path)) told.add(path)
      return data
    }
    const paths = jsonCommands(createProgram())

    expect(await json('up', '--background')).toMatchObject({ home: cli.home })
    await json('import', brands, '--dataset', 'brands', '--id', 'id', '--name', 'name')
    expect(await json('import', brands, '--dataset', 'brands', '--dry-run')).toMatchObject({
      mapping: { name: 'name' },
      unchanged: RECORDS,
      new: 0,
    })
    const { project } = (await json(...create)) as { project: number }
    const flags = ['--project', String(project)]
    await json('project', 'list')
    await json('project', 'show', ...flags)
    await json('project', 'set', ...flags, '--threshold', 'match=90')
    await json('dataset', 'list')
    await json('dataset', 'show', 'brands')

    service.holdAfter(0)
    await json('start-match', ...flags, '--detach')
    await service.until(() => service.requests.length > 1)
    await json('pause-match', ...flags)
    await json('resume-match', ...flags)
    await json('cancel-match', ...flags)
    service.letGo()
    expect(await json('start-match', ...flags)).toMatchObject({ status: 'completed' })
    await json('retry-failed', ...flags)
    expect(await json('failures', ...flags)).toEqual([])
    expect(await json('skip', ...flags, '--code', 'poison')).toMatchObject({ skipped: 0 })
    expect(await json('match', 'set', ...flags, '--weight', '2')).toMatchObject({ weight: 2 })
    await json('schedule', 'set', ...flags, '--cron', '0 3 1 1 *')
    expect(await json('schedule', 'list')).toMatchObject([{ project, status: 'active' }])
    expect(await json('schedule', 'pause', ...flags)).toMatchObject({ status: 'paused' })
    expect(await json('schedule', 'resume', ...flags)).toMatchObject({ status: 'active' })
    expect(await json('schedule', 'remove', ...flags)).toMatchObject({ status: 'removed' })
    expect(await json('explain', ...flags, '--entry', '1')).toMatchObject({ entry: '1' })
    expect(await json('rescore', ...flags, '--dry-run')).toMatchObject({ dryRun: true })
    expect(await json('rescore', ...flags)).toMatchObject({ requests: { sent: 0 } })
    expect(await json('match', 'diff', '0', '1', ...flags)).toMatchObject({ from: 0, to: 1 })
    expect(await json('status')).toHaveLength(1)
    expect(await json('limits')).toMatchObject({ domains: { length: 1 } })
    const { host } = new URL(service.url)
    await json('limits', 'set', host, '--max-rps', '50')
    await json('limits', 'pause', host)
    await json('limits', 'resume', host)
    await json('limits', 'reset', host)

    const profile = cli.file('profile.json', JSON.stringify(profileOf(source)))
    const extract = ['extract', 'start', '--profile', profile, '--dataset', 'items']
    expect(await json(...extract, '--dry-run')).toMatchObject({ requests: null })
    expect(source.listRequests()).toEqual([])
    expect(await json(...extract, '--batch-size', '10', '--rate-per-second', '50')).toMatchObject({
      run: 1,
      status: 'completed',
      types: [{ type: 'items', dataset: 'items', items: 30, landed: { new: 30 } }],
    })
    expect(await json(...extract, '--dry-run')).toMatchObject({ requests: 4 })
    const held = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)))
    source.api.instead = () => held
    const sent = source.listRequests().length
    expect(await json(...extract, '--detach')).toMatchObject({ run: 2, status: 'running' })
    await source.service.until(() => source.listRequests().length > sent)
    expect(await json('extract', 'pause', '2')).toMatchObject({ status: 'paused' })
    expect(await json('extract', 'resume', '2', '--detach')).toMatchObject({ status: 'running' })
    expect(await json('extract', 'cancel', '2')).toMatchObject({ status: 'cancelled' })
    letGo()
    expect(await json('extract', 'status', '1')).toMatchObject({ status: 'completed' })
    expect(await json('extract', 'errors', '1')).toEqual([])
    expect(await json('extract', 'retry-failed', '1')).toMatchObject({ status: 'completed' })
    expect(await json('extract', 'diff', '1', '1')).toMatchObject({
      types: [{ type: 'items', added: 0, changed: 0, removed: 0, same: 30 }],
      changes: [],
    })
    expect(await json('extract', 'export', '1')).toEqual(source.api.items)
    const toProject = ['to-project', '1', '--service', service.ownAddress(), '--name', 'name']
    const ofItems = (await json('extract', ...toProject)) as { project: number }
    expect(ofItems).toMatchObject({ dataset: 'items', records: 30, mapping: { name: 'name' } })
    expect(await json('extract', ...toProject)).toEqual(ofItems)
    expect(await json('extract', 'list')).toMatchObject([{ run: 2 }, { run: 1 }])

    expect(await json('suggest', 'type', ...flags)).toMatchObject({ asked: 10, failed: 0 })
    expect(await json('suggest', 'property', 'birth date')).toMatchObject({
      isFromService: false,
      properties: [{ id: 'P569' }],
    })

    await json('judgments', 'import', verdicts, ...flags)
    expect(await json('recheck', ...flags)).toMatchObject({ missing: 0, unchecked: 0, records: [] })
    const lines = await cli.data('judgments', 'export', ...flags, '-o', 'jsonl')
    expect(JSON.parse(lines)).toMatchObject({ id: '1', verdict: 'match' })
    expect(await json('export', ...flags)).toHaveLength(RECORDS)
    expect(await json('extend', ...flags, '--property', 'P1,Len')).toMatchObject({ missing: 0 })
    expect(await json('extend', ...flags, '--property', 'P1', '--stop')).toMatchObject({
      status: 'not running',
    })

    const files = cli.file('files.csv', `url,name\n${service.ownAddress()},Manifest\n`)
    const local = ['--allow-address', '127.0.0.0/8']
    expect(await json('download', 'import', files, ...local)).toMatchObject({ inserted: 1 })
    expect(await json('download', 'enqueue', service.ownAddress())).toMatchObject({ inserted: 1 })
    const mirror = cli.file('queue.json', '{"templates": {"mirror": "http://127.0.0.1:1/{P1}"}}')
    const stated = ['--property', 'P1', '--queue', 'stated', '-c', mirror]
    expect(await json('download', 'from-project', String(project), ...stated)).toMatchObject({
      rejected: [],
    })
    expect(await json('download', 'cancel', '--job', '2')).toMatchObject({ skipped: 1 })
    expect(await json('download', 'run', '--drain')).toMatchObject({ done: 1, error: 0 })
    expect(await json('download', 'retry-failed')).toMatchObject({ queued: 0 })
    expect(await json('download', 'show', '1')).toMatchObject({ state: 'done' })
    expect(await json('download', 'config')).toMatchObject({ maxPerHost: { value: 4 } })
    await json('download', 'pause')
    expect(await json('download', 'stats')).toMatchObject({ pausedReason: 'by user' })
    await json('download', 'resume')
    expect(await json('download', 'verify')).toMatchObject({ whole: 1, broken: 0 })
    expect(await json('download', 'gc')).toMatchObject({ rows: 0 })

    expect(await json('evaluate', ...flags, '--gold', gold)).toMatchObject({
      rows: RECORDS,
      inKb: 0,
    })
    expect(await json('weights', 'fit', ...flags, '--gold', gold)).toMatchObject({
      records: RECORDS,
    })
    await json('weights', 'reset', ...flags)
    await json('doctor')
    await json('config')
    await json('migrate')
    expect(await json('answers', 'prune')).toMatchObject({ answers: 0 })
    const dump = cli.file('brands.dump.jsonl', '')
    expect(await json('project', 'dump', String(project), dump)).toMatchObject({ project })
    const moved = await json('project', 'load', dump, '--dataset', 'moved')
    expect(moved).toMatchObject({ dataset: 'moved', leftOut: [] })
    await json('project', 'delete', ...flags, '--yes')
    await json('dataset', 'delete', 'brands', '--yes')
    await json('project', 'delete', '--project', String(ofItems.project), '--yes')
    await json('dataset', 'delete', 'items', '--yes')
    expect(await json('extract', 'list')).toEqual([])
    expect(await json('down')).toMatchObject({ status: 'stopped' })
    expect(paths.filter((path) => !told.has(path))).toEqual(['judgments export'])
  },
  EACH_COMMAND_MS,
)

it('is empty when a command is refused', async () => {
  for (const args of [
    ['start-match'],
    ['no-such-command'],
    ['export', '--project', 'x'],
    ['import'],
  ]) {
    const { code, stdout, stderr } = await cli.run(...args)
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).toContain('error: ')
  }
})

function profileOf({ service: { url } }: FakeSource): object {
  const type = { name: 'items', path: '/list/offset', paginator: { kind: 'offset' } }
  return { name: 'counted', baseUrl: new URL(url).origin, types: [type] }
}

/** Every command that has an option -o; those of the group `match` are the short ones under other names. */
function jsonCommands(command: Command, path: readonly string[] = []): readonly string[] {
  const own = command.options.some(({ short }) => short === '-o') ? [path.join(' ')] : []
  const others = command.commands.filter((child) => child.name() !== 'match')
  return [...own, ...others.flatMap((child) => jsonCommands(child, [...path, child.name()]))]
}
