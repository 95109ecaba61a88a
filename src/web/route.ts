/** A route of the API: what it takes, what it answers, and what it does. The OpenAPI document is made of the same. */
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { boundedText } from './bounded-text.ts'
import { invalidRequest, ProblemError } from './problem.ts'
import type { WebContext } from './web-context.ts'

export interface RouteAnswer {
  /** Default 200. */
  readonly status?: number
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface RouteResponse {
  readonly description: string
  readonly schema?: z.ZodType
  /** All that it may be; default `application/json` where there is a schema. */
  readonly contentTypes?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

export interface RouteInput<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly request: Request
  readonly context: WebContext
}

interface RouteFacts {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** As OpenAPI writes it: `/projects/{project}`. */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly responses: Readonly<Record<number, RouteResponse>>
  /** Codes of problems worth naming, by status. */
  readonly problems?: Readonly<Record<number, string>>
  /** Header parameters. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body is taken as it comes, of these types. */
  readonly rawBody?: readonly string[]
}

export interface Route extends RouteFacts {
  readonly params: z.ZodType
  readonly query: z.ZodType
  /** Null: it takes no JSON. */
  readonly body: z.ZodType | null
  readonly answer: (c: Context, context: WebContext) => Promise<Response>
}

const nothing = z.strictObject({})
export function defineRoute<
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>(
  spec: RouteFacts & {
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly handle: (
      input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>,
    ) => Promise<RouteAnswer | Response>
  },
): Route {
  const { handle, body = null, ...facts } = spec
  const params: z.ZodType = spec.params ?? nothing
  const query: z.ZodType = spec.query ?? nothing
  return {
    ...facts,
    params,
    query,
    body,
    answer: async (c, context) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each was parsed by its schema just now
      const input = {
        params: parse(params, c.req.param(), 'path'),
        query: parse(query, c.req.query(), 'query'),
        body: body === null ? {} : parse(body, await readJson(c), 'body'),
        request: c.req.raw,
        context,
      } as RouteInput<z.output<P>, z.output<Q>, z.output<B>>
      return toResponse(await handle(input))
    },
  }
}

/** Serves the routes; other methods on their paths are answered with 405. */
export function mountRoutes(app: Hono, routes: readonly Route[], context: WebContext): void {
  const methods = new Map<string, string[]>()
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(route.method.toUpperCase(), path, (c) => route.answer(c, context))
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()])
  }
  for (const [path, allowed] of methods) {
    app.all(path, (c) => {
      const names = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
      c.header('Allow', names.join(', '))
      throw new ProblemError(405, {
        code: 'method_not_allowed',
        detail: `${c.req.method} is not done at ${c.req.path}; expected ${names.join(', ')}.`,
      })
    })
  }
}

function parse(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error, where)
}

async function readJson(c: Context): Promise<unknown> {
  const type = c.req.header('Content-Type') ?? ''
  const text = await boundedText(c.req.raw)
  if (text === '') return {}
  if (!/^application\/json\b/i.test(type)) {
    throw new ProblemError(415, {
      code: 'json_expected',
      detail: `The body is ${type === '' ? 'of no named type' : type}; expected application/json.`,
    })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProblemError(400, { code: 'invalid_json', detail: `The body is no JSON: ${reason}` })
  }
}

function toResponse(answer: RouteAnswer | Response): Response {
  if (answer instanceof Response) return answer
  const { status = 200, data, headers = {} } = answer
  if (data === undefined) return new Response(null, { status, headers })
  return Response.json(data, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}
