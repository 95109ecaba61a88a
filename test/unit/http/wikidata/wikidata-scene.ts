/** The Action API client against a fake Wikidata over loopback. */
import {
  type ActionApi,
  type ActionCall,
  createActionApi,
} from '../../../../src/http/wikidata/action-api.ts'
import { fetchItems } from '../../../../src/http/wikidata/fetch-items.ts'
import type { JsonObject } from '../../../../src/http/tolerant-json.ts'
import type { ItemFacts, WantedFacts } from '../../../../src/core/wikidata/item-facts.ts'
import type { FakeAnswer, FakeHandler } from '../../../support/fake-reconciliation-service.ts'
import { httpScene, type HttpScene } from '../http-scene.ts'

export interface WikidataScene extends HttpScene {
  readonly api: ActionApi
  /** The body of an answer. */
  readonly call: (params: ActionCall['params']) => Promise<JsonObject>
  readonly signal: AbortSignal
  /** Of each request so far. */
  readonly asked: () => readonly URLSearchParams[]
  readonly items: (
    ids: readonly string[],
    wanted?: Partial<WantedFacts>,
  ) => Promise<readonly ItemFacts[]>
}

export async function wikidataScene(
  answer: FakeAnswer | FakeHandler,
  {
    maxBodyBytes,
    ...options
  }: {
    readonly accessToken?: string
    readonly maxLagS?: number | null
    readonly maxBodyBytes?: number
  } = {},
): Promise<WikidataScene> {
  const scene = await httpScene({ json: {} }, maxBodyBytes === undefined ? {} : { maxBodyBytes })
  scene.service.respond(answer)
  const { http, service } = scene
  const api = createActionApi({ http, url: service.url, project: '1', ...options })
  const { signal } = new AbortController()
  const onExchange = () => undefined
  return {
    ...scene,
    api,
    call: (params) => api({ params, signal, onExchange }, (body) => body),
    signal,
    asked: () =>
      service.requests.map(
        ({ method, path, body }) =>
          new URLSearchParams(method === 'POST' ? body : path.slice(path.indexOf('?') + 1)),
      ),
    items: (ids, wanted = {}) =>
      fetchItems(
        api,
        { ids, wanted: { languages: ['en'], pids: ['P31'], ...wanted } },
        { signal, onExchange },
      ),
  }
}
