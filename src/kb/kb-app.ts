/** The knowledge base as a W3C Reconciliation API 0.2 service. Every answer is JSON, errors too. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import type { z } from 'zod'
import { describeIssues } from './describe-issues.ts'
import { extendItems, extensionQuerySchema, proposeProperties } from './data-extension.ts'
import type { KbIndex } from './kb-index.ts'
import { manifestOf } from './manifest.ts'
import { parseQueryBatch } from './query-batch.ts'
import { readForm } from './read-form.ts'
import { reconcile, type ReconciliationCandidate } from './reconcile.ts'
import { suggestItems, suggestProperties, suggestTypes } from './suggest.ts'
import { ServiceError } from './service-error.ts'
import { counted } from '../core/counted.ts'

export interface KbAppOptions {
  readonly name: string
  /** Queries per batch at most; a larger batch is answered with 413. Default 50. */
  readonly batchSize?: number | undefined
  /** Candidates per query when the query does not say. Default 10. */
  readonly limit?: number | undefined
}

const DEFAULT_BATCH_SIZE = 50
const DEFAULT_LIMIT = 10
const MOST_CANDIDATES = 100
const PROPOSED_PROPERTIES = 50

const suggestServices = {
  '/suggest/entity': suggestItems,
  '/suggest/type': suggestTypes,
  '/suggest/property': suggestProperties,
}

/** Builds the service; `app.request` asks it without a network. */
export function createKbApp(index: KbIndex, options: KbAppOptions): Hono {
  const batchSize = options.batchSize ?? DEFAULT_BATCH_SIZE
  const defaultLimit = options.limit ?? DEFAULT_LIMIT
  const app = new Hono()
  app.use(cors({ origin: '*', allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'] }))

  app.on(['GET', 'POST'], '/', async (c) => {
    const fields =
      c.req.method === 'POST' ? await readForm(c.req.raw) : new URL(c.req.url).searchParams
    const queries = fields.get('queries')
    if (queries !== null) return c.json(await answer(queries, c.req.raw.signal))
    const extend = fields.get('extend')
    if (extend !== null) return c.json(extendItems(index, parseExtension(extend)))
    if (c.req.method === 'POST' || fields.has('query')) {
      throw new ServiceError(400, 'Expected a field `queries` (or `extend`) with JSON text.', {
        fields: [...fields.keys()],
      })
    }
    return c.json(manifestOf(index, options.name, batchSize, baseOf(c)))
  })
  app.get('/properties', (c) => {
    const type = c.req.query('type') ?? ''
    const limit = Number(c.req.query('limit') ?? PROPOSED_PROPERTIES)
    if (!Number.isInteger(limit) || limit < 1) {
      throw new ServiceError(400, 'Expected `limit` to be a whole number of at least 1.')
    }
    const properties = proposeProperties(index, type === '' ? undefined : type, limit)
    return c.json({ properties, limit, ...(type === '' ? {} : { type }) })
  })
  for (const [path, suggest] of Object.entries(suggestServices)) {
    app.get(path, (c) => {
      const skip = Number(c.req.query('cursor') ?? 0)
      if (!Number.isInteger(skip) || skip < 0) {
        throw new ServiceError(400, 'Expected `cursor` to be a whole number, 0 or more.')
      }
      return c.json({ result: suggest(index, c.req.query('prefix') ?? '', skip) })
    })
  }
  app.get('/item/:id', (c) => {
    const item = index.items[index.positionOf(c.req.param('id')) ?? -1]
    if (item === undefined) throw new ServiceError(404, `No item ${c.req.param('id')} here.`)
    return c.json({ ...item, properties: Object.fromEntries(item.properties) })
  })
  for (const path of ['/', '/properties', '/item/:id', ...Object.keys(suggestServices)]) {
    app.all(path, (c) => {
      const allow = path === '/' ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'
      c.header('Allow', allow)
      throw new ServiceError(405, `${c.req.method} is not served here; expected ${allow}.`)
    })
  }
  app.notFound((c) => {
    const problem = new ServiceError(404, `Nothing at ${c.req.path}; the service is at /.`)
    return c.json(problem.body(), problem.status)
  })
  app.onError((error, c) => {
    const problem =
      error instanceof ServiceError
        ? error
        : new ServiceError(500, 'The service failed on this request.', { error: error.message })
    return c.json(problem.body(), problem.status)
  })
  return app

  async function answer(
    text: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, { readonly result: readonly ReconciliationCandidate[] }>>> {
    const batch = Object.entries(parseJsonObject(text, 'queries'))
    if (batch.length > batchSize) {
      throw new ServiceError(
        413,
        `Got ${counted(batch.length, 'query', 'queries')}; at most ${batchSize} a batch.`,
        {
          batchSize,
          received: batch.length,
        },
      )
    }
    const { queries, problems } = parseQueryBatch(batch)
    if (problems.length > 0) {
      const keys = problems.map(({ query }) => query).join(', ')
      throw new ServiceError(400, `Cannot answer ${keys}; no query was answered.`, problems)
    }
    const results: [string, { readonly result: readonly ReconciliationCandidate[] }][] = []
    for (const [key, query] of queries) {
      const limit = Math.min(query.limit ?? defaultLimit, MOST_CANDIDATES)
      results.push([key, { result: reconcile(index, query, limit) }])
      // Other requests get their turn between two queries, and nobody waits for the answer to a closed connection.
      await nextTurn()
      if (signal.aborted) break
    }
    return Object.fromEntries(results)
  }
}

function baseOf(c: Context): string {
  return new URL(c.req.url).origin
}

function parseExtension(text: string): z.infer<typeof extensionQuerySchema> {
  const parsed = extensionQuerySchema.safeParse(parseJsonObject(text, 'extend'))
  if (parsed.success) return parsed.data
  throw new ServiceError(400, describeIssues(parsed.error, '`extend`'))
}

function parseJsonObject(text: string, field: string): object {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError(400, `\`${field}\` is not JSON: ${reason}`)
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw new ServiceError(400, `\`${field}\` is not a JSON object.`)
}
