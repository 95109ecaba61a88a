/**
 * A match on the embedded servers, and the same on those of docker-compose.yml, where one of two workers is killed: one
 * table.
 */
import { expect } from 'vitest'
import { type BrandService, exportedTable, importBrands, timesAsked } from '../brands.ts'
import { createCli } from '../cli.ts'
import type { FakeRequest } from '../fake-reconciliation-service.ts'
import type { StackWithoutDocker } from './stack.ts'

const EMBEDDED_PROJECT = 6
const PROJECT = 7

export interface KilledWorkerMatch {
  /** Records a second, from the start of the command to its end. */
  readonly embedded: number
  readonly onPostgres: number
  /** Questions that were asked a second time. */
  readonly askedAgain: number
  /** Metrics of the killed worker: host and port. */
  readonly dead: string
}

/** Kills, after a third of the questions, the worker that asked last. */
export async function matchWithAKill(
  stack: StackWithoutDocker,
  service: BrandService,
  records: number,
): Promise<KilledWorkerMatch> {
  const embedded = await embeddedMatch(service, records)
  const cli = createCli(stack.servers)
  try {
    const address = service.ownAddress()
    const batches = () => service.batchesOf(address)
    const questions = () =>
      batches().reduce((sum, { queries }) => sum + Object.keys(queries ?? {}).length, 0)
    await importBrands(cli, PROJECT, address, records)
    const match = cli.start('start-match', '--project', String(PROJECT), '-o', 'json')
    await service.until(() => questions() >= records / 3)
    const last = batches().at(-1)
    const dead = stack.workers.find((worker) => isFrom(worker.contact, last))
    if (dead === undefined) throw new Error(`expected a worker, found ${userAgentOf(last)}`)
    process.kill(dead.mark.pid, 'SIGKILL')
    await dead.ended
    const sent = batches().length
    const { code, stdout, stderr, tookMs } = await match.ended

    expect([code, stderr.split('\n').filter((line) => /error/.test(line))]).toEqual([0, []])
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      entries: { total: records, completed: records, failed: 0, cancelled: 0 },
    })
    expect(await exportedTable(cli, PROJECT)).toBe(embedded.table)
    const after = batches().slice(sent)
    const living = stack.workers.filter((worker) => worker !== dead)
    expect(after.some((request) => living.some(({ contact }) => isFrom(contact, request)))).toBe(
      true,
    )
    const times = [...timesAsked(batches()).values()]
    expect(Math.max(...times)).toBeLessThanOrEqual(2)
    return {
      embedded: perSecond(records, embedded.tookMs),
      onPostgres: perSecond(records, tookMs),
      askedAgain: times.filter((count) => count > 1).length,
      dead: dead.metrics,
    }
  } finally {
    await cli.remove()
  }
}

/** The servers end afterwards. */
async function embeddedMatch(service: BrandService, records: number) {
  const cli = createCli()
  try {
    await importBrands(cli, EMBEDDED_PROJECT, service.ownAddress(), records)
    const startedMs = performance.now()
    await cli.data('start-match', '--project', String(EMBEDDED_PROJECT))
    const tookMs = performance.now() - startedMs
    return { table: await exportedTable(cli, EMBEDDED_PROJECT), tookMs }
  } finally {
    await cli.remove()
  }
}

function isFrom(contact: string, request: FakeRequest | undefined): boolean {
  return userAgentOf(request).includes(contact)
}

function userAgentOf(request: FakeRequest | undefined): string {
  return String(request?.headers['user-agent'])
}

function perSecond(records: number, tookMs: number): number {
  return Math.round((records / tookMs) * 10_000) / 10
}
