import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { UsageError } from '../errors.ts'
import { ServiceError } from './service-error.ts'

export interface Listening {
  /** Without a final slash. */
  readonly url: string
  /** Stops listening, ends open connections, resolves when the port is free. */
  close(): Promise<void>
}

// A GET request carries its queries in the first line; node's own limit of 16 KB is soon reached.
const HEADER_BYTES = 256 * 1024

/**
 * An HTTP server whose answers are JSON even where the request never reaches the app: a broken request, headers too
 * large, a bad Host. Throws UsageError when the address cannot be used.
 */
export async function listenForJson(
  fetch: (request: Request) => Response | Promise<Response>,
  host: string,
  port: number,
): Promise<Listening> {
  const listener = getRequestListener(fetch, {
    // Else the package replaces Request and Response for the whole process.
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      const problem = new ServiceError(400, error instanceof Error ? error.message : String(error))
      return Response.json(problem.body(), { status: 400 })
    },
  })
  const server = createServer({ maxHeaderSize: HEADER_BYTES }, (request, response) => {
    void listener(request, response)
  })
  server.on('clientError', refuse)
  await listen(server, host, port)
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)))
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new UsageError({
          code: cause.code === 'EADDRINUSE' ? 'port_in_use' : 'cannot_listen',
          message: `Cannot listen on ${host}, port ${port}: ${cause.message}.`,
          hint: 'Take another --port (0 takes a free one) or --host.',
          cause,
        }),
      )
    })
    server.listen(port, host, resolve)
  })
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large'] as const)
      : ([400, 'Bad Request'] as const)
  const body = JSON.stringify(new ServiceError(status, `${reason}: ${error.message}`).body())
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
