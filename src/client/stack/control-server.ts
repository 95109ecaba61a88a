/** The keeper's ear: a loopback HTTP server for clients that know the token of the home. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeeperEvent } from './keeper-event.ts'

/** A client that is suspended cannot take our last words, and must not hold up the end. */
const LAST_WORDS_LIMIT_MS = 1000

export interface ControlServer {
  readonly port: number
  readonly token: string
  /** How many clients hold the stack now. */
  readonly clients: () => number
  /** Tells all clients, and remembers it for those who come later. */
  readonly announce: (event: KeeperEvent) => void
  /** Resolves when every client has everything that was announced. */
  readonly close: () => Promise<void>
}

/**
 * `GET /follow` answers with events until the client hangs up: such a client holds the stack.
 * `POST /down` asks the stack to end, and answers with events until it did; it holds nothing.
 */
export async function startControlServer(
  keeper: KeeperEvent,
  onDown: () => void,
): Promise<ControlServer> {
  const token = randomBytes(24).toString('base64url')
  const holders = new Set<ServerResponse>()
  const listeners = new Set<ServerResponse>()
  let history: KeeperEvent[] = [keeper]

  const server = createServer((request, response) => {
    const route = `${request.method} ${request.url}`
    const known = route === 'GET /follow' || route === 'POST /down'
    if (!known || !hasToken(request, token)) {
      response.writeHead(known ? 401 : 404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/jsonl' })
    for (const event of history) writeEvent(response, event)
    listeners.add(response)
    if (route === 'GET /follow') holders.add(response)
    response.on('close', () => {
      listeners.delete(response)
      holders.delete(response)
    })
    if (route === 'POST /down') onDown()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()

  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    token,
    clients: () => holders.size,
    announce: (event) => {
      // Who comes later is told of the present phase only.
      if (event.event !== 'progress') history = [keeper]
      history.push(event)
      for (const response of listeners) writeEvent(response, event)
    },
    close: async () => {
      const told = Array.from(listeners, (response) => once(response.end(), 'close'))
      await Promise.race([Promise.all(told), sleep(LAST_WORDS_LIMIT_MS, undefined, { ref: false })])
      server.close()
      server.closeAllConnections()
    },
  }
}

function writeEvent(response: ServerResponse, event: KeeperEvent): void {
  response.write(`${JSON.stringify(event)}\n`)
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
