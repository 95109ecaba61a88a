/** An API with one list of numbered items that is asked by offset and limit, on a real loopback port. */
import { DomainLog } from '../limiter/run-log.ts'
import { silentOrigin, type Origin } from '../limiter/origins/origin.ts'
import { tokenBucket } from '../limiter/origins/token-bucket.ts'
import {
  type FakeAnswer,
  startFakeService,
} from '../../test/support/fake-reconciliation-service.ts'

export interface ListService {
  readonly domain: string
  /** `null` without a limit. */
  readonly model: Origin | null
  /** By the clock that starts with it. */
  readonly log: DomainLog
  nowMs(): number
  /** A profile of it, as `--profile` takes it. @param items of the list */
  profile(items: number): object
  close(): Promise<void>
}

interface ListServiceOptions {
  /** Before each answer. */
  readonly delayMs: number
  /** Requests per second it accepts, one second of them saved up; left out: all. */
  readonly rps?: number
}

export async function startListService({ delayMs, rps }: ListServiceOptions): Promise<ListService> {
  const bornMs = performance.now()
  const nowMs = (): number => performance.now() - bornMs
  const model =
    rps === undefined ? null : tokenBucket({ rateAt: () => rps, burstS: 1 }, silentOrigin)
  const log = new DomainLog()
  const service = await startFakeService(({ path }): FakeAnswer => {
    const atMs = nowMs()
    log.sentMs.push(atMs)
    if (model !== null && model.arrive(atMs).outcome.kind !== 'ok') {
      log.refusedMs.push(atMs)
      return { status: 429, json: {} }
    }
    log.accepted.push({ atMs, units: 1, project: path, worker: '' })
    const { pathname, searchParams } = new URL(path, 'http://list.example')
    const total = Number(pathname.slice(1))
    const offset = Number(searchParams.get('offset') ?? 0)
    const limit = Number(searchParams.get('limit') ?? total)
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, row) =>
      item(offset + row),
    )
    return { json: rows, headers: { 'x-total-count': `${total}` }, delayMs }
  })
  let profiles = 0
  return {
    domain: service.domain,
    model,
    log,
    nowMs,
    profile: (items) => ({
      name: `bench-${++profiles}`,
      baseUrl: new URL(service.url).origin,
      types: [
        {
          name: 'items',
          path: `/${items}`,
          paginator: { kind: 'offset' },
          total: { header: 'X-Total-Count' },
        },
      ],
    }),
    close: () => service.close(),
  }
}

/** As large as a small record of a museum. */
function item(number: number): object {
  return {
    id: number,
    title: `Landscape with a mill, number ${number}`,
    artist: `Painter ${number % 977}`,
    year: 1600 + (number % 400),
    materials: ['oil', 'canvas'],
    description: 'A mill by a river, people on the road, and clouds. '.repeat(4),
  }
}
