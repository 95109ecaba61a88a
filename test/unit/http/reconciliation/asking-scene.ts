/** A reconciliation client, its fake service and what became of every lookup, attempt and permit. */
import { afterEach } from 'vitest'
import type { OutsideCallError } from '../../../../src/errors.ts'
import { createHttpClient, type HttpClientOptions } from '../../../../src/http/http-client.ts'
import type {
  LookupResult,
  LookupToAsk,
} from '../../../../src/http/reconciliation/lookup-result.ts'
import {
  type AskOptions,
  type AskOutcome,
  createReconciliationClient,
  type LookupAttempt,
  type ReconciliationClient,
  type ReconciliationClientOptions,
} from '../../../../src/http/reconciliation/reconciliation-client.ts'
import {
  answerEach,
  type FakeAnswer,
  type FakeHandler,
  type FakeRequest,
  type FakeService,
  manifestAnswer,
  startFakeService,
} from '../../../support/fake-reconciliation-service.ts'
import { recordingPermits, type RecordingPermits } from '../recording-permits.ts'

const opened: (() => Promise<void>)[] = []
// Registered in each test file that imports this one.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()))
})

export interface AskingScene {
  readonly service: FakeService
  readonly client: ReconciliationClient
  readonly permits: RecordingPermits
  readonly delivered: LookupResult[]
  readonly attempts: LookupAttempt[]
  readonly ask: (lookups: readonly LookupToAsk[], more?: Partial<AskOptions>) => Promise<AskOutcome>
  readonly fail: (
    lookups: readonly LookupToAsk[],
    more?: Partial<AskOptions>,
  ) => Promise<OutsideCallError>
  /** The names of each batch, in the order they were asked. */
  readonly batches: () => readonly (readonly string[])[]
}

export async function askingScene(
  handler?: FakeHandler | FakeAnswer,
  options: Partial<HttpClientOptions> &
    Pick<ReconciliationClientOptions, 'learnedBatchSize' | 'credentials'> = {},
): Promise<AskingScene> {
  const service = await startFakeService(handler)
  const permits = recordingPermits()
  const http = createHttpClient({ permits, contact: undefined, version: '1', ...options })
  const client = createReconciliationClient({ http, url: service.url, project: '123', ...options })
  opened.push(
    () => service.close(),
    () => http.close(),
  )
  const delivered: LookupResult[] = []
  const attempts: LookupAttempt[] = []
  const ask: AskingScene['ask'] = (lookups, more = {}) =>
    client.ask(lookups, {
      signal: new AbortController().signal,
      onAnswer: (results) => void delivered.push(...results),
      onAttempt: (attempt) => void attempts.push(attempt),
      ...more,
    })
  const fail: AskingScene['fail'] = (lookups, more) =>
    ask(lookups, more).then(
      () => Promise.reject(new Error('expected a failure')),
      (error: OutsideCallError) => error,
    )
  const batches = (): readonly (readonly string[])[] =>
    service.requests.flatMap(({ queries }) => (queries ? [namesOf(queries)] : []))
  return { service, client, permits, delivered, attempts, ask, fail, batches }
}

function namesOf(queries: NonNullable<FakeRequest['queries']>): readonly string[] {
  return Object.values(queries).map(({ query = '' }) => query)
}

export function lookup(id: number, query: string, attempts = 0): LookupToAsk {
  return { id, attempts, query: { query, types: [], limit: 10, properties: [] } }
}

/** Lookups 0 to n - 1 for the names n0, n1, … */
export function numbered(count: number, attempts = 0): readonly LookupToAsk[] {
  return Array.from({ length: count }, (_, i) => lookup(i, `n${i}`, attempts))
}

/** Finds each name as an entity of the same id, unless `refuse` has another answer for the batch. */
export function finding(
  refuse: (names: readonly string[]) => FakeAnswer | undefined = () => undefined,
): FakeHandler {
  return (request) =>
    request.queries
      ? (refuse(namesOf(request.queries)) ??
        answerEach(request, ({ query }) => [{ id: query, score: 100 }]))
      : manifestAnswer(request)
}

/** Who was answered with the right entity, and how the others failed. */
export function summary(results: readonly LookupResult[]): readonly string[] {
  return results
    .toSorted((a, b) => a.id - b.id)
    .map((result) => {
      if (result.status === 'failed') {
        return `${result.id} failed ${result.error.kind} ${result.error.code}`
      }
      const [first] = result.list.candidates
      return `${result.id} ${first?.id === `n${result.id}` ? 'found' : `got ${first?.id}`}`
    })
}

export const allFound = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${i} found`)
