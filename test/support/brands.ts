/**
 * Made-up brands: a file of them, a service that knows them, and projects that match the one with the other. Answers
 * depend on the question only, so that two runs must give the same table whatever happened in between.
 */
import type { Cli } from './cli.ts'
import { extensionAnswer, extensionIn } from './fake-extension.ts'
import {
  answerEach,
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from './fake-reconciliation-service.ts'

export interface BrandServiceOptions {
  /** Time that each batch takes, ms; default 20. */
  readonly delayMs?: number
  /** Queries per request; default 5. */
  readonly batchSize?: number
}

export interface BrandService extends FakeService {
  /** An address that no other project asks: answers are kept by address. */
  ownAddress(): string
  /** The batches that came for this address. */
  batchesOf(address: string): readonly FakeRequest[]
  /** Answers the next `count` batches; holds further ones, without an answer, until `letGo`. */
  holdAfter(count: number): void
  /** Answers every batch so, until `letGo`. */
  answerBatches(reply: FakeAnswer): void
  /** Answers 400 to every batch with a tenth brand in it, until `letGo`. */
  refuseEveryTenth(): void
  /** Asked for each batch what to answer in its place; undefined: what it always does. Until `letGo`. */
  disturb(reply: () => FakeAnswer | undefined): void
  letGo(): void
}

export async function startBrandService(options: BrandServiceOptions = {}): Promise<BrandService> {
  const { delayMs = 20, batchSize = 5 } = options
  let free = Infinity
  let release = (): void => undefined
  let released = Promise.resolve()
  let addresses = 0
  const handler = async (request: FakeRequest): Promise<FakeAnswer> => {
    if (request.queries !== null) {
      free -= 1
      if (free < 0) await released
    }
    return brandAnswer(request, delayMs, batchSize)
  }
  const service = await startFakeService(handler)
  return {
    ...service,
    ownAddress: () => `${service.url}/${++addresses}`,
    batchesOf: (address) =>
      service.requests.filter(
        ({ path, queries }) => queries !== null && path.split('?')[0] === new URL(address).pathname,
      ),
    holdAfter(count) {
      free = count
      released = new Promise((resolve) => {
        release = resolve
      })
    },
    answerBatches(reply) {
      service.respond((request) =>
        request.queries === null ? brandAnswer(request, 0, batchSize) : reply,
      )
    },
    refuseEveryTenth() {
      service.respond((request) => {
        const names = Object.values(request.queries ?? {}).map(({ query = '' }) => query)
        return names.some((name) => name.endsWith('0'))
          ? { status: 400, json: {} }
          : brandAnswer(request, delayMs, batchSize)
      })
    },
    disturb(reply) {
      service.respond(
        (request) => (request.queries === null ? undefined : reply()) ?? handler(request),
      )
    },
    letGo() {
      service.respond(handler)
      free = Infinity
      release()
    },
  }
}

/** Imports `count` brands into a new project of that number, which asks `service`. */
export async function importBrands(
  cli: Cli,
  project: number,
  service: string,
  count: number,
): Promise<void> {
  const file = cli.file(`brands-${project}.csv`, brandCsv(count))
  const mapping = ['--id', 'id', '--name', 'name', '--variant', 'alias']
  await cli.data('import', file, '--project', String(project), '--service', service, ...mapping)
}

/** The whole export; the time of each decision, in which two equal runs differ, is left out. */
export async function exportedTable(cli: Cli, project: number): Promise<string> {
  const csv = await cli.data('export', '--project', String(project))
  return csv.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}

/** Questions by their text → how often they were asked. */
export function timesAsked(requests: readonly FakeRequest[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { queries } of requests) {
    for (const { query = '' } of Object.values(queries ?? {})) {
      times.set(query, (times.get(query) ?? 0) + 1)
    }
  }
  return times
}

function brandCsv(count: number): string {
  const lines = Array.from({ length: count }, (_, n) =>
    [`b${n}`, `Brand ${n}`, n % 5 === 4 ? `Alias ${n}` : '', `City ${n % 7}`].join(','),
  )
  return ['id,name,alias,city', ...lines, ''].join('\n')
}

/**
 * Of five brands three have one item, one has two that look the same (a person must decide), and one is known by its
 * alias or, every second time, not at all. Every id is that of an item.
 */
export function brandAnswer(request: FakeRequest, delayMs: number, batchSize: number): FakeAnswer {
  const asked = extensionIn(request)
  if (asked !== null) return { ...extensionAnswer(asked), delayMs }
  if (request.queries === null) {
    return manifestAnswer(request, { name: 'Fake brands', batchSize, extend: {} })
  }
  const batch = answerEach(request, ({ query = '' }) => {
    if (/^Q\d+$/.test(query)) return [{ ...item(0, 0, 'Some brand'), id: query }]
    const [kind, digits] = query.split(' ')
    const n = Number(digits)
    if (n % 5 === 4) return kind === 'Alias' && n % 2 === 0 ? [item(n, 0, query)] : []
    return n % 5 === 3 ? [item(n, 0, query), item(n, 1, query)] : [item(n, 0, query)]
  })
  return { ...batch, delayMs }
}

function item(n: number, which: number, name: string) {
  return {
    id: `Q${1000 + n * 10 + which}`,
    name,
    description: `brand ${n}.${which}`,
    score: 90 - which,
    match: false,
    type: [{ id: 'Q431289', name: 'brand' }],
  }
}
