/**
 * A scripted W3C reconciliation service on a real loopback port, for tests.
 *
 *   const service = await startFakeService()          // a valid manifest, answers by exact name
 *   service.respondOnce({ status: 504 }, { drop: 'at_once' })   // the next two requests
 *   service.respond((request) => request.queries ? answerEach(request, () => []) : manifestAnswer(request))
 *   await service.until(() => service.requests.length === 3)    // event driven, no sleeping
 *   await service.close()
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** A query as it arrived. */
export interface FakeQuery {
  readonly query?: string
  readonly type?: unknown
  readonly limit?: number
  readonly properties?: readonly { readonly pid: string; readonly v: unknown }[]
}

export interface FakeRequest {
  readonly atMs: number
  readonly method: string
  /** With its query string. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The decoded batch; null for a request without one, such as for the manifest. */
  readonly queries: Readonly<Record<string, FakeQuery>> | null
  /** The client went away before it had its answer. */
  aborted: boolean
  answered: boolean
}

export interface FakeAnswer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Sent as application/json unless the headers say otherwise. */
  readonly json?: unknown
  /** Sent as it is, in place of `json`. */
  readonly body?: string | Uint8Array
  /** Before the first byte; default 0. */
  readonly delayMs?: number
  /** Never answered, or the body never finished. */
  readonly hang?: 'before_headers' | 'in_body'
  /** The connection is reset, before any byte or in the middle of the body. */
  readonly drop?: 'at_once' | 'in_body'
}

export type FakeHandler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

export interface FakeService {
  /** The endpoint, `http://127.0.0.1:<port>/reconcile`; every other path answers too. */
  readonly url: string
  /** `127.0.0.1:<port>`, as the limiter knows it. */
  readonly domain: string
  /** In order of arrival. */
  readonly requests: readonly FakeRequest[]
  openConnections(): number
  abortedRequests(): number
  /** Answers all further requests so. */
  respond(handler: FakeHandler | FakeAnswer): void
  /** Answers the next requests so, one each, before the handler is asked again. */
  respondOnce(...answers: readonly (FakeHandler | FakeAnswer)[]): void
  /** Resolves as soon as it is true; looked at after every request, answer and change of a connection. */
  until(condition: () => boolean): Promise<void>
  /** Refuses connections and cuts the open ones; the port is kept for `restart`. */
  stop(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
}

const cities: Readonly<Record<string, readonly string[]>> = {
  Amsterdam: ['Q727'],
  Berlin: ['Q64'],
  Eindhoven: ['Q9832'],
  Groningen: ['Q749'],
  London: ['Q84'],
  Madrid: ['Q2807'],
  Paris: ['Q90'],
  Rome: ['Q220'],
  Rotterdam: ['Q34370'],
  'The Hague': ['Q36600'],
  Utrecht: ['Q803', 'Q776'],
  Vienna: ['Q1741'],
}

/**
 * @param handler Default: {@link answerByName}.
 * @param wantedPort Default: any free one.
 */
export async function startFakeService(
  handler: FakeHandler | FakeAnswer = answerByName,
  wantedPort = 0,
): Promise<FakeService> {
  let current = handler
  const next: (FakeHandler | FakeAnswer)[] = []
  const requests: FakeRequest[] = []
  const sockets = new Set<Socket>()
  const waiters = new Map<() => boolean, () => void>()

  const changed = (): void => {
    for (const [condition, resolve] of waiters) {
      if (condition() && waiters.delete(condition)) resolve()
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming)
    let cutByUs = false
    requests.push(request)
    response.on('close', () => {
      request.answered = response.writableFinished
      request.aborted = !response.writableFinished && !cutByUs && server.listening
      changed()
    })
    const chosen = next.shift() ?? current
    changed()
    const answer = typeof chosen === 'function' ? await chosen(request) : chosen
    cutByUs = answer.drop !== undefined
    send(answer, response)
  }
  const server = createServer((incoming, response) => {
    // A handler that throws is a broken test; the answer says so.
    serve(incoming, response).catch((error: unknown) =>
      send({ status: 500, body: `fake service: ${String(error)}` }, response),
    )
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      changed()
    })
    changed()
  })

  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.resetAndDestroy()
    })

  await listen(wantedPort)
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    url: `http://127.0.0.1:${port}/reconcile`,
    domain: `127.0.0.1:${port}`,
    requests,
    openConnections: () => sockets.size,
    abortedRequests: () => requests.filter(({ aborted }) => aborted).length,
    respond(handler) {
      current = handler
    },
    respondOnce(...answers) {
      next.push(...answers)
    },
    until: (condition) =>
      condition() ? Promise.resolve() : new Promise((resolve) => waiters.set(condition, resolve)),
    stop,
    restart: () => listen(port),
    close: () => (server.listening ? stop() : Promise.resolve()),
  }
}

/** The default: a manifest for a GET without queries, else each query by exact name from a dozen cities. */
export function answerByName(request: FakeRequest): FakeAnswer {
  if (!request.queries) return manifestAnswer(request)
  return answerEach(request, ({ query = '', limit = 10 }) => {
    const ids = Object.hasOwn(cities, query) ? (cities[query] ?? []) : []
    return ids.slice(0, limit).map((id) => ({
      id,
      name: query,
      score: 100,
      match: ids.length === 1,
      type: [{ id: 'Q515', name: 'city' }],
    }))
  })
}

/** A batch answer with these candidates for each query. */
export function answerEach(
  request: FakeRequest,
  candidates: (query: FakeQuery, key: string) => readonly unknown[],
): FakeAnswer {
  const entries = Object.entries(request.queries ?? {})
  return {
    json: Object.fromEntries(entries.map(([key, q]) => [key, { result: candidates(q, key) }])),
  }
}

/** A valid 0.2 manifest; `extra` fields are added or replace. */
export function manifestAnswer(
  request: FakeRequest,
  extra: Readonly<Record<string, unknown>> = {},
): FakeAnswer {
  const base = `http://${request.headers.host ?? 'localhost'}`
  return {
    json: {
      versions: ['0.2'],
      name: 'Fake cities',
      identifierSpace: 'http://www.wikidata.org/entity/',
      schemaSpace: 'http://www.wikidata.org/prop/direct/',
      defaultTypes: [{ id: 'Q515', name: 'city' }],
      view: { url: `${base}/entity/{{id}}` },
      batchSize: 10,
      ...extra,
    },
  }
}

/** A page where JSON belongs. */
export function htmlAnswer(status: number, title: string): FakeAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  }
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const body = await text(incoming)
  const path = incoming.url ?? '/'
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : ''
  const batch = new URLSearchParams(incoming.method === 'POST' ? body : query).get('queries')
  const queries: Record<string, FakeQuery> | null = batch === null ? null : JSON.parse(batch)
  return {
    atMs: Date.now(),
    method: incoming.method ?? '',
    path,
    headers: incoming.headers,
    body,
    queries,
    aborted: false,
    answered: false,
  }
}

function send(answer: FakeAnswer, response: ServerResponse): void {
  const { status = 200, headers = {}, json, body, delayMs = 0, hang, drop } = answer
  const content = body ?? (json === undefined ? '' : JSON.stringify(json))
  const act = (): void => {
    if (hang === 'before_headers') return
    if (drop === 'at_once') {
      response.socket?.resetAndDestroy()
      return
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (json !== undefined && !response.hasHeader('content-type')) {
      response.setHeader('content-type', 'application/json')
    }
    response.statusCode = status
    if (hang === undefined && drop === undefined) {
      response.end(content)
      return
    }
    response.write(content.slice(0, Math.ceil(content.length / 2)), () => {
      if (drop === 'in_body') response.socket?.resetAndDestroy()
    })
  }
  if (delayMs === 0) act()
  else {
    const timer = setTimeout(act, delayMs)
    response.on('close', () => clearTimeout(timer))
  }
}
