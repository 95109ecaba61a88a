/** The OpenAPI 3.1 document of the API, made of its routes: what is not in a route is not promised. */
import { z } from 'zod'
import { MOST_HEADER_BYTES } from './broken-request.ts'
import { productVersion } from '../product-version.ts'
import type { Route, RouteResponse } from './route.ts'

type JsonObject = Readonly<Record<string, unknown>>

const JSON_TYPE = 'application/json'

const problemSchema: JsonObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Stable; the same as the commands have.' },
    hint: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['at', 'message'],
        properties: { at: { type: 'string' }, message: { type: 'string' } },
      },
    },
    facts: { type: 'object' },
  },
}

/** What any request can be answered with. */
const always: Readonly<Record<number, string>> = {
  400: 'invalid_request: the request is not understood',
  401: 'token_required: a token is needed here',
  403: 'foreign_host, foreign_origin: asked through another name, or by the page of another site',
  408: 'request_too_slow: it did not arrive in time',
  431: `headers_too_large: address and headers are larger than ${MOST_HEADER_BYTES} bytes`,
  503: 'server_unreachable, temporal_unreachable: a server of ours is away',
}

export function openApiDocument(routes: readonly Route[]): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Record Linker',
      version: productVersion,
      description:
        'Starts and steers matches, shows their records, and takes what people judge. Errors are application/problem+json.',
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Needed unless it is served on loopback only.',
        },
      },
    },
  }
}

function operationOf(route: Route): JsonObject {
  const { operationId, tag, summary, description, body, rawBody } = route
  const content =
    rawBody !== undefined
      ? Object.fromEntries(
          rawBody.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        )
      : body !== null
        ? { 'application/json': { schema: jsonSchema(body, 'input') } }
        : undefined
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...Object.entries(route.headers ?? {}).map(([name, text]) => ({
        name,
        in: 'header',
        description: text,
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      })),
    ],
    ...(content === undefined ? {} : { requestBody: { required: rawBody !== undefined, content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, response]) => [status, responseOf(response)]),
      ),
      ...Object.fromEntries(
        Object.entries({ ...always, ...bodyProblems(route), ...route.problems }).map(
          ([status, text]) => [status, problemResponseOf(text)],
        ),
      ),
    },
  }
}

function bodyProblems({ body }: Route): Readonly<Record<number, string>> {
  return body === null
    ? {}
    : { 413: 'body_too_large', 415: 'json_expected: another content type is needed' }
}

function responseOf({ description, schema, contentTypes, headers }: RouteResponse): JsonObject {
  return {
    description,
    ...(headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, text]) => [
              name,
              { description: text, schema: { type: 'string' } },
            ]),
          ),
        }),
    ...(schema === undefined && contentTypes === undefined
      ? {}
      : {
          content: Object.fromEntries(
            (contentTypes ?? [JSON_TYPE]).map((type) => [
              type,
              { schema: schema === undefined ? untold(type) : jsonSchema(schema, 'output') },
            ]),
          ),
        }),
  }
}

/** Of what no schema is given. */
function untold(contentType: string): JsonObject {
  return contentType === JSON_TYPE ? {} : { type: 'string' }
}

function problemResponseOf(description: string): JsonObject {
  return {
    description,
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  }
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): readonly JsonObject[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Readonly<Record<string, JsonObject>>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...one }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: one,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
