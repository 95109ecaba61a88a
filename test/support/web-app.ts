/** The API and the pages around a database, asked without a network. */
import type { Client } from '@temporalio/client'
import { loadConfig } from '../../src/config.ts'
import type { Db } from '../../src/db/connect.ts'
import { UnavailableError } from '../../src/errors.ts'
import { createWebApp } from '../../src/web/app.tsx'

export interface TestWeb {
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Sends JSON. */
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
  /** The JSON of an answer with that status. */
  readonly json: <Told = Record<string, unknown>>(path: string, status?: number) => Promise<Told>
  /** Sends a form, as a browser without scripts does. */
  readonly form: (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>
  /** Lines of the log. */
  readonly logged: readonly string[]
}

export interface TestWebOptions {
  readonly client?: Client
  readonly taskQueue?: string
  /** Store of files. */
  readonly artifacts?: string
  readonly token?: string
  readonly hosts?: readonly string[]
}

export function testWeb(db: Db, options: TestWebOptions = {}): TestWeb {
  const logged: string[] = []
  const app = createWebApp({
    context: {
      config: loadConfig({}),
      stack: {
        temporalAddress: '',
        temporalNamespace: 'default',
        databaseUrl: '',
        home: '/nowhere',
        close: () => undefined,
      },
      db,
      temporal: () =>
        options.client === undefined
          ? Promise.reject(
              new UnavailableError({
                code: 'temporal_unreachable',
                message: 'No Temporal server answers.',
              }),
            )
          : Promise.resolve(options.client),
      ...(options.taskQueue === undefined ? {} : { taskQueue: options.taskQueue }),
      ...(options.artifacts === undefined ? {} : { artifacts: options.artifacts }),
    },
    hosts: options.hosts ?? ['localhost'],
    token: options.token ?? null,
    log: (line) => logged.push(line),
  })
  const ask: TestWeb['ask'] = async (path, init = {}) =>
    app.request(path, { ...init, headers: { Host: 'localhost:8533', ...plain(init.headers) } })
  return {
    ask,
    logged,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...plain(headers) },
        body: JSON.stringify(body ?? {}),
      }),
    json: async <Told>(path: string, status = 200) => {
      const answer = await ask(path)
      const text = await answer.text()
      if (answer.status !== status) throw new Error(`${path}: ${answer.status}, ${text}`)
      return JSON.parse(text) as Told
    },
    form: (path, fields, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: 'http://localhost:8533',
          Accept: 'text/html',
          ...headers,
        },
        body: new URLSearchParams(fields).toString(),
      }),
  }
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers ?? {}).entries())
}
