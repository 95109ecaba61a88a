/**
 * Undici 7 ends the process when a connection closes while its body is not being read, because we wait for a slot or for
 * the disk (nodejs/undici#5360, mended in 8 only). So what a socket has to say of its end waits until the body is read on.
 */
import type { Socket } from 'node:net'

const ENDINGS: ReadonlySet<string | symbol> = new Set(['end', 'error', 'close'])
const LOOK_EVERY_MS = 10

interface Parser {
  paused: boolean
  resume(): void
}

/** The same socket. */
export function withPatientEnd<T extends Socket>(socket: T): T {
  const emit = socket.emit.bind(socket) as (name: string | symbol, ...args: unknown[]) => boolean
  const waiting: (() => void)[] = []
  const flush = (): void => {
    const parser = parserOf(socket)
    // Undici reads on only from a connection that stands; of another one only the end is left to be told.
    if (parser?.paused === true && socket.destroyed) readOut(socket, parser)
    if (parser?.paused === true) setTimeout(flush, LOOK_EVERY_MS)
    else for (const tell of waiting.splice(0)) tell()
  }
  socket.emit = (name: string | symbol, ...args: unknown[]): boolean => {
    const waits = ENDINGS.has(name) && (waiting.length > 0 || parserOf(socket)?.paused === true)
    if (!waits) return emit(name, ...args)
    waiting.push(() => emit(name, ...args))
    if (waiting.length === 1) setTimeout(flush, LOOK_EVERY_MS)
    return true
  }
  return socket
}

/** A body may have come whole before its connection went, which the parser only sees when it is let go on. */
function readOut(socket: Socket, parser: Parser): void {
  // Undici lets it go on only where the connection stands.
  Object.defineProperty(socket, 'destroyed', { value: false, configurable: true })
  try {
    parser.resume()
  } catch {
    // The connection is over either way, and its end says so.
  } finally {
    Reflect.deleteProperty(socket, 'destroyed')
    parser.paused = false
  }
}

/** What undici keeps with a socket, under a symbol of its own. */
function parserOf(socket: Socket): Parser | undefined {
  const key = Object.getOwnPropertySymbols(socket).find(
    ({ description }) => description === 'parser',
  )
  const parser: unknown = key === undefined ? undefined : Reflect.get(socket, key)
  return isParser(parser) ? parser : undefined
}

function isParser(value: unknown): value is Parser {
  return typeof value === 'object' && value !== null && 'paused' in value && 'resume' in value
}
