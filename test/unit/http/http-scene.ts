/** An HTTP client, a fake service for it to call, and what became of its permits. */
import { afterEach } from 'vitest'
import type { OutsideCallError } from '../../../src/errors.ts'
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
} from '../../../src/http/http-client.ts'
import {
  type FakeAnswer,
  type FakeService,
  startFakeService,
} from '../../support/fake-reconciliation-service.ts'
import { recordingPermits, type RecordingPermits } from './recording-permits.ts'

const opened: (() => Promise<void>)[] = []
// Registered in each test file that imports this one.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()))
})

export interface HttpScene {
  readonly service: FakeService
  readonly http: HttpClient
  readonly permits: RecordingPermits
  readonly ask: (request?: Partial<HttpRequest>) => Promise<HttpResponse>
  readonly fail: (request?: Partial<HttpRequest>) => Promise<OutsideCallError>
}

export async function httpScene(
  answer: FakeAnswer = { json: {} },
  options: Partial<HttpClientOptions> = {},
): Promise<HttpScene> {
  const service = await startFakeService(answer)
  const permits = recordingPermits()
  const http = createHttpClient({ permits, contact: undefined, version: '1.2.3', ...options })
  opened.push(
    () => service.close(),
    () => http.close(),
  )
  const ask: HttpScene['ask'] = (request = {}) =>
    http.request({
      method: 'GET',
      url: service.url,
      signal: new AbortController().signal,
      project: '123',
      ...request,
    })
  const fail: HttpScene['fail'] = (request) =>
    ask(request).then(
      () => Promise.reject(new Error('expected a failure')),
      (error: OutsideCallError) => error,
    )
  return { service, http, permits, ask, fail }
}
