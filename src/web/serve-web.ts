/** The API and the pages on a port, until they are closed. */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Client } from '@temporalio/client'
import type { Config } from '../config.ts'
import { isLoopback } from '../http/loopback.ts'
import { connectTemporal, type TemporalClient } from '../client/temporal-client.ts'
import type { StackAddresses } from '../client/stack/stack.ts'
import { connectDatabase } from '../db/connect.ts'
import { UsageError } from '../errors.ts'
import { createWebApp, type WebAppOptions } from './app.tsx'
import { answerBrokenRequest, MOST_HEADER_BYTES } from './broken-request.ts'
import { forgetOldUploads } from './kept-upload.ts'

export interface ServeOptions {
  readonly config: Config
  readonly stack: StackAddresses
  /** Address of this machine; loopback needs no token. */
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** Names beside those of the address, under which it may be asked. */
  readonly allowedHosts: readonly string[]
  /** Of the workers that do the work; default `record-linker`. */
  readonly taskQueue?: string
  /** undefined: a random one where one is needed. */
  readonly token?: string | undefined
  readonly log: (line: string) => void
  /** Default: as the commands do. */
  readonly connect?: typeof connectTemporal
}

export interface ServedWeb {
  /** Without a final slash. */
  readonly url: string
  /** Null: none is needed. */
  readonly token: string | null
  readonly close: () => Promise<void>
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const ANY_ADDRESS = new Set(['0.0.0.0', '::'])
const FORGET_UPLOADS_MS = 3_600_000

/** @throws UsageError `port_in_use`, `cannot_listen`, `names_needed` */
export async function serveWeb(options: ServeOptions): Promise<ServedWeb> {
  const { config, stack, host, port, log } = options
  const isLocal = isLoopback(new URL(`http://${hostText(host)}`))
  if (ANY_ADDRESS.has(host) && options.allowedHosts.length === 0) {
    throw new UsageError({
      code: 'names_needed',
      message: `${host} is every address of this machine; it is not said under which name it is asked.`,
      hint: 'Give each: --allow-host linker.example.org',
    })
  }
  const token = options.token ?? (isLocal ? null : randomBytes(24).toString('base64url'))
  const db = connectDatabase(stack.databaseUrl)
  const temporal = lazyTemporal(stack, options.connect ?? connectTemporal)
  const context: WebAppOptions['context'] = {
    config,
    stack: { ...stack, close: () => undefined },
    db,
    temporal: temporal.client,
    ...(options.taskQueue === undefined ? {} : { taskQueue: options.taskQueue }),
  }
  const app = createWebApp({
    context,
    token,
    hosts: [...LOOPBACK_NAMES, hostText(host), ...options.allowedHosts],
    log,
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer(
    { maxHeaderSize: MOST_HEADER_BYTES },
    (request, response) => void listener(request, response),
  )
  server.on('clientError', answerBrokenRequest)
  try {
    await listen(server, host, port)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const forget = () => void forgetOldUploads().catch((error: unknown) => log(String(error)))
  forget()
  const forgetting = setInterval(forget, FORGET_UPLOADS_MS)
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${hostText(ANY_ADDRESS.has(host) ? (options.allowedHosts[0] ?? host) : host)}:${actual}`,
    token,
    close: async () => {
      clearInterval(forgetting)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await temporal.close()
      await db.destroy()
    },
  }
}

/** Connected at the first use, and again after a failure. */
function lazyTemporal(
  { temporalAddress, temporalNamespace }: StackAddresses,
  connect: typeof connectTemporal,
) {
  let connecting: Promise<TemporalClient> | undefined
  const client = async (): Promise<Client> => {
    connecting ??= connect(temporalAddress, temporalNamespace)
    try {
      return (await connecting).client
    } catch (error) {
      connecting = undefined
      throw error
    }
  }
  const close = async () => {
    const open = await connecting?.catch(() => undefined)
    await open?.close()
  }
  return { client, close }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new UsageError({
          code: cause.code === 'EADDRINUSE' ? 'port_in_use' : 'cannot_listen',
          message: `Cannot listen on ${host}, port ${port}: ${cause.message}.`,
          hint:
            cause.code === 'EADDRINUSE'
              ? `Somebody listens there, perhaps a "serve" or "review" of yours: look at http://${hostText(host)}:${port}\nOr take another --port (0 takes a free one).`
              : 'Take another --port (0 takes a free one), or give serve another --host.',
          cause,
        }),
      )
    })
    server.listen(port, host, resolve)
  })
}

function hostText(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
