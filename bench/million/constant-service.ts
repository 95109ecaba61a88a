/**
 * A reconciliation service on loopback that answers each batch of 50 after the same time, whatever it is asked: what it
 * finds is made from the name. It keeps nothing of what came.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export interface ConstantService {
  readonly url: string
  /** Names asked for, each as often as it was. */
  questions(): number
  /** Requests with questions. */
  batches(): number
  close(): Promise<void>
}

const BATCH_SIZE = 50
const ANSWER_MS = 20
const CANDIDATES = 5
/** Of ten names: one finds nothing, two find what a person must look at, the others their item. */
const OF_TEN = 10
const FINDS_NOTHING = 0
const FINDS_TWO = new Set([1, 2])

export async function startConstantService(): Promise<ConstantService> {
  let questions = 0
  let batches = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const queries = queriesOf(await text(request))
    if (queries === null) return send(response, manifest())
    const names = Object.entries(queries)
    batches++
    questions += names.length
    setTimeout(() => {
      send(
        response,
        Object.fromEntries(names.map(([key, { query }]) => [key, { result: found(query) }])),
      )
    }, ANSWER_MS)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    url: `http://127.0.0.1:${port}/reconcile`,
    questions: () => questions,
    batches: () => batches,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, json: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

function manifest(): object {
  return {
    versions: ['0.2'],
    name: 'Brands in places',
    identifierSpace: 'http://www.wikidata.org/entity/',
    schemaSpace: 'http://www.wikidata.org/prop/direct/',
    batchSize: BATCH_SIZE,
  }
}

const queriesSchema = z.record(z.string(), z.object({ query: z.string() }))

/** Null for a request without questions: it is for the manifest. */
function queriesOf(body: string): z.infer<typeof queriesSchema> | null {
  const batch = new URLSearchParams(body).get('queries')
  return batch === null ? null : queriesSchema.parse(JSON.parse(batch))
}

/** The same for the same name. */
function found(name: string): readonly object[] {
  const number = hashOf(name)
  const kind = number % OF_TEN
  if (kind === FINDS_NOTHING) return []
  const sames = FINDS_TWO.has(kind) ? 2 : 1
  return Array.from({ length: CANDIDATES }, (_, turn) => ({
    id: `Q${number * CANDIDATES + turn + 1}`,
    name: turn < sames ? name : `${name} ${turn} Holding`,
    description: `company no. ${turn}`,
    type: [{ id: 'Q4830453', name: 'business' }],
    score: 100 - 10 * turn,
    match: sames === 1 && turn === 0,
  }))
}

/** FNV-1a, 32 bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  }
  return hash
}
