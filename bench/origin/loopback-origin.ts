/**
 * A reconciliation service on a real loopback port with a limit nobody is told, and a log of all that came.
 * Each process names itself by the contact in its User-Agent.
 */
import { tokenBucket } from '../limiter/origins/token-bucket.ts'
import { silentOrigin, type Origin } from '../limiter/origins/origin.ts'
import { DomainLog } from '../limiter/run-log.ts'
import {
  answerEach,
  type FakeAnswer,
  type FakeRequest,
  manifestAnswer,
  startFakeService,
} from '../../test/support/fake-reconciliation-service.ts'

export interface Arrival {
  /** Since the origin was started. */
  readonly atMs: number
  /** The part of the contact before the `@`; empty when the sender names none. */
  readonly worker: string
  readonly status: number
  readonly request: FakeRequest
}

export interface LoopbackOrigin {
  readonly domain: string
  readonly url: string
  /** What it can accept, by its own clock. */
  readonly model: Origin
  readonly log: DomainLog
  /** In order. */
  readonly arrivals: readonly Arrival[]
  /** Its clock starts with it; `bornMs` is that instant on the machine's clock. */
  readonly bornMs: number
  nowMs(): number
  /** From now on. */
  setRps(rps: number): void
  /** Answers nothing but 503 from now on, or stops doing so. */
  setBroken(isBroken: boolean): void
  close(): Promise<void>
}

/** One second of the rate can be saved up: the plainest of the simulator's origins (O1). */
const BURST_S = 1
const SERVICE_MS = 50

/** @param rps Requests per second it accepts; manifests count like any other request. */
export async function startLoopbackOrigin(rps: number): Promise<LoopbackOrigin> {
  const bornMs = Date.now()
  const nowMs = (): number => Date.now() - bornMs
  const rates = [{ fromMs: 0, rps }]
  const rateAt = (ms: number): number => rates.findLast(({ fromMs }) => fromMs <= ms)?.rps ?? rps
  const model = tokenBucket({ rateAt, burstS: BURST_S }, silentOrigin)
  const log = new DomainLog()
  const arrivals: Arrival[] = []
  let isBroken = false

  const judge = (atMs: number): number => {
    if (isBroken) return 503
    return model.arrive(atMs).outcome.kind === 'ok' ? 200 : 429
  }
  const service = await startFakeService((request) => {
    const atMs = nowMs()
    const status = judge(atMs)
    const worker = workerOf(request)
    arrivals.push({ atMs, worker, status, request })
    log.sentMs.push(atMs)
    if (status === 200) log.accepted.push({ atMs, units: 1, project: request.path, worker })
    else if (status === 429) log.refusedMs.push(atMs)
    else log.failedMs.push(atMs)
    return status === 200 ? answer(request) : { status, json: {} }
  })
  return {
    domain: service.domain,
    url: service.url,
    model,
    log,
    arrivals,
    bornMs,
    nowMs,
    setRps: (next) => void rates.push({ fromMs: nowMs(), rps: next }),
    setBroken: (broken) => void (isBroken = broken),
    close: () => service.close(),
  }
}

/** One query per request, so that requests are questions. */
function answer(request: FakeRequest): FakeAnswer {
  if (request.queries === null) return manifestAnswer(request, { name: 'Bench', batchSize: 1 })
  const batch = answerEach(request, ({ query = '' }) => [
    { id: `Q${query.replaceAll(/\D/g, '')}`, name: query, score: 100, match: true, type: [] },
  ])
  return { ...batch, delayMs: SERVICE_MS }
}

function workerOf({ headers }: FakeRequest): string {
  return /\(([^@)]*)@/.exec(headers['user-agent'] ?? '')?.[1] ?? ''
}
