/**
 * A source in the manner of Looker's API 4.0: a login that trades credentials for a token, lists as bare arrays, of which
 * some come page by page and say how long they are and some come whole, and dashboards whose elements need a request each.
 */
import { Hono, type Context } from 'hono'
import { ServiceError } from '../kb/service-error.ts'
import { readForm } from '../kb/read-form.ts'
import { lastingLists } from './lasting-lists.ts'
import { type ListAnswer, pageAnswer, wholeAnswer } from './list-answer.ts'
import { createLoginTokens } from './login-tokens.ts'
import { dashboardDetails, idOf, recordOf } from './record-shapes.ts'
import { requestLimit } from './request-limit.ts'
import { sourceDay } from './source-days.ts'
import { faultAnswer, sourceFaults } from './source-faults.ts'
import type { SourceKind, SourceSize } from './source-size.ts'

export const SOURCE_PATH = '/api/4.0'

export interface SourceAppOptions {
  /** All that is in the source, and all that befalls it, follows from this number. */
  readonly seed: number
  readonly size: SourceSize
  /** `id:secret` that the login takes. */
  readonly credentials: string
  readonly tokenLifeS: number
  /** As the source stands on this day, from 1. */
  readonly day: number
  /** A day goes by after so many requests; null: never. */
  readonly requestsPerDay: number | null
  /** More in any minute are refused with 429; null: no bound. */
  readonly requestsPerMinute: number | null
  /** Requests that fail, in percent. */
  readonly faultPercent: number
  /** The details of the first so many dashboards are refused with 403. */
  readonly forbiddenDetails: number
  /** Rows of a page at most; null: as many as are asked. */
  readonly mostRows: number | null
  /** Before each answer. */
  readonly delayMs: number
}

const paged: Readonly<Record<string, SourceKind>> = {
  '/users': 'users',
  '/groups': 'groups',
  '/looks/search': 'looks',
  '/dashboards/search': 'dashboards',
  '/lookml_models': 'models',
}
const whole: Readonly<Record<string, SourceKind>> = {
  '/folders': 'folders',
  '/dashboards': 'dashboards',
}
const DOCUMENTATION = 'https://cloud.google.com/looker/docs/'

/** Builds the source; `app.request` asks it without a network. @param nowMs monotonic */
export function createSourceApp(
  options: SourceAppOptions,
  nowMs: () => number = () => performance.now(),
): Hono {
  const { seed, size, requestsPerDay, mostRows } = options
  const tokens = createLoginTokens(options.credentials, options.tokenLifeS, nowMs)
  const waitS =
    options.requestsPerMinute === null ? () => 0 : requestLimit(options.requestsPerMinute, nowMs)
  const nextFault = sourceFaults(seed, options.faultPercent)
  let requests = 0
  let today = { day: options.day, keys: sourceDay(seed, size, options.day) }
  const keysOf = (kind: SourceKind) => {
    const gone = requestsPerDay === null ? 0 : Math.floor(requests / requestsPerDay)
    const day = options.day + gone
    if (day !== today.day) today = { day, keys: sourceDay(seed, size, day) }
    return today.keys[kind]
  }
  const recordsOf = (kind: SourceKind) => keysOf(kind).map((key) => recordOf({ seed, size }, key))

  const app = new Hono().basePath(SOURCE_PATH)
  app.use(async (c, next) => {
    await new Promise((resolve) => setTimeout(resolve, options.delayMs))
    const seconds = waitS()
    if (seconds > 0) {
      c.header('Retry-After', String(seconds))
      return c.json(problem('Too many requests.'), 429)
    }
    const fault = nextFault()
    if (fault === null) return next()
    // What is returned after `next` counts for nothing.
    c.res = await faultAnswer(fault, async () => {
      await next()
      return c.res
    })
    return undefined
  })
  app.post('/login', async (c) => {
    const form = await readForm(c.req.raw)
    const token = tokens.login(form.get('client_id') ?? '', form.get('client_secret') ?? '')
    // Looker's own answer to credentials that are wrong.
    if (token === undefined) return c.json(problem('Not Found'), 404)
    return c.json({ access_token: token, token_type: 'Bearer', expires_in: tokens.lifeS })
  })
  app.use(async (c, next) => {
    if (!tokens.isValid(c.req.header('Authorization'))) {
      return c.json(problem('Requires authentication.'), 401)
    }
    await next()
    requests += 1
    return undefined
  })
  for (const [path, kind] of Object.entries(paged)) {
    app.get(path, (c) => listed(c, pageAnswer(recordsOf(kind), new URL(c.req.url), mostRows)))
  }
  for (const [path, kind] of Object.entries(whole)) {
    app.get(path, (c) => listed(c, wholeAnswer(recordsOf(kind), new URL(c.req.url))))
  }
  for (const [path, list] of Object.entries(lastingLists)) {
    app.get(path, (c) => listed(c, wholeAnswer(list, new URL(c.req.url))))
  }
  app.get('/dashboards/:id', (c) => {
    const key = keysOf('dashboards').find((one) => idOf(one) === c.req.param('id'))
    if (key === undefined) return c.json(problem('Not found'), 404)
    if (key.number <= options.forbiddenDetails) return c.json(problem('Forbidden'), 403)
    const maker = { seed, size }
    return c.json({ ...recordOf(maker, key), ...dashboardDetails(maker, key) })
  })
  app.notFound((c) => c.json(problem('Not found'), 404))
  app.onError((error, c) =>
    c.json(problem(error.message), error instanceof ServiceError ? error.status : 500),
  )
  return app
}

function listed(c: Context, { rows, headers }: ListAnswer): Response {
  return c.json(rows, 200, headers)
}

function problem(message: string): object {
  return { message, documentation_url: DOCUMENTATION }
}
