/**
 * A host of files on a real loopback port, that does what a test tells it and writes down every request.
 *
 *   const origin = await startFileOrigin()
 *   origin.serve('/a.pdf', { body })                         // whole, ranges and validators honoured
 *   origin.script('/b', [cutAfter(400), { body }])           // one answer after the other, the last one for ever
 *   origin.requests('/b')                                     // headers, start, end, bytes
 *   origin.mostAtOnce()                                       // bodies that were on their way together
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { statfs } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What is answered to one request. */
export interface FileAnswer {
  /** Default 200, or 206 where a range is honoured. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** A range is honoured where If-Range allows it; default true. */
  readonly ranges?: boolean
  /** Bytes of the body after which the connection is cut. */
  readonly cutAfter?: number
  /** Bytes of the body after which nothing comes any more. */
  readonly stallAfter?: number
  /** So many bytes at a time, with a pause of so many ms. */
  readonly drip?: { readonly bytes: number; readonly everyMs: number }
  /** Neither length nor chunks: the end of the connection is the end. */
  readonly untilClose?: boolean
  readonly chunked?: boolean
  /** Never answers at all. */
  readonly hang?: boolean
  /** Waited for before the body. */
  readonly before?: Promise<unknown>
}

export type Answering = FileAnswer | ((request: SeenRequest) => FileAnswer)

export interface SeenRequest {
  readonly method: string
  readonly path: string
  /** Name of the host that was asked for. */
  readonly host: string
  readonly headers: IncomingHttpHeaders
  readonly startMs: number
  /** Null: still on its way. */
  endMs: number | null
  /** Of the body, given to the socket. */
  bytes: number
}

export interface FileOrigin {
  readonly port: number
  /** With `127.0.0.1`, or another name or address of this machine. */
  url(path: string, host?: string): string
  serve(path: string, answer: Answering): void
  script(path: string, answers: readonly Answering[]): void
  requests(path?: string): readonly SeenRequest[]
  /** Of one host, or of all. */
  mostAtOnce(host?: string): number
  close(): Promise<void>
}

export async function startFileOrigin(address = '127.0.0.1'): Promise<FileOrigin> {
  const scripts = new Map<string, Answering[]>()
  const seen: SeenRequest[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://origin')
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const { method = 'GET', headers } = request
    const record: SeenRequest = {
      method,
      path: pathname,
      host,
      headers,
      startMs: performance.now(),
      endMs: null,
      bytes: 0,
    }
    seen.push(record)
    response.on('close', () => (record.endMs = performance.now()))
    const script = scripts.get(pathname) ?? [{ status: 404 }]
    const next = (script.length > 1 ? script.shift() : script[0]) ?? { status: 404 }
    const answer = typeof next === 'function' ? next(record) : next
    void send(record, answer, response)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (path, host = address) => `http://${host}:${port}${path}`,
    serve: (path, answer) => void scripts.set(path, [answer]),
    script: (path, answers) => void scripts.set(path, [...answers]),
    requests: (path) => seen.filter((one) => path === undefined || one.path === path),
    mostAtOnce: (host) => overlap(seen.filter((one) => host === undefined || one.host === host)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function send(record: SeenRequest, answer: FileAnswer, response: ServerResponse) {
  if (answer.hang === true) return
  const whole = Buffer.from(answer.body ?? '')
  const range = rangeOf(record.headers, answer, whole.length)
  const body = range === null ? whole : whole.subarray(range)
  const headers: Record<string, string> = { ...answer.headers }
  // Nobody sends another request on a connection that is about to be cut.
  if (answer.cutAfter !== undefined) headers['connection'] = 'close'
  if (range !== null) {
    headers['content-range'] = `bytes ${range}-${whole.length - 1}/${whole.length}`
  }
  const status = answer.status ?? (range === null ? 200 : 206)
  if (answer.untilClose === true) {
    rawAnswer(status, headers, response)
  } else {
    const hasLength = answer.chunked !== true && headers['content-length'] === undefined
    if (hasLength && status !== 304) headers['content-length'] = String(body.length)
    response.writeHead(status, headers)
    response.flushHeaders()
  }
  await answer.before
  if (record.method !== 'HEAD') await sendBody(record, answer, body, response)
  else response.end()
}

async function sendBody(
  record: SeenRequest,
  { cutAfter, stallAfter, drip, untilClose }: FileAnswer,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const put = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      record.bytes += bytes.length
      if (untilClose === true) response.socket?.write(bytes, () => resolve())
      else response.write(bytes, () => resolve())
    })
  const end = Math.min(body.length, cutAfter ?? body.length, stallAfter ?? body.length)
  const step = drip?.bytes ?? 65_536
  for (let at = 0; at < end && !response.destroyed; at += step) {
    await put(body.subarray(at, Math.min(end, at + step)))
    if (drip !== undefined) await delay(drip.everyMs)
  }
  if (stallAfter !== undefined) return
  if (cutAfter !== undefined) {
    // What was written is taken in before the connection goes: who fetches looks at the disk as often as we do here.
    for (let turn = 0; turn < 20; turn++) await statfs('.')
    await delay(20)
    response.socket?.destroy()
  } else if (untilClose === true) response.socket?.end()
  else response.end()
}

function rawAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  response: ServerResponse,
): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  response.socket?.write(`HTTP/1.1 ${status} OK\r\n${lines.join('')}connection: close\r\n\r\n`)
}

/** The first byte asked for; null: the whole is sent. */
function rangeOf(headers: IncomingHttpHeaders, answer: FileAnswer, bytes: number): number | null {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(start) || answer.ranges === false || answer.status !== undefined) return null
  if (start >= bytes) return null
  const condition = headers['if-range']
  const validators = [answer.headers?.['etag'], answer.headers?.['last-modified']]
  return condition === undefined || validators.includes(String(condition)) ? start : null
}

function overlap(requests: readonly SeenRequest[]): number {
  const moments = requests.flatMap(({ startMs, endMs }) => [
    { atMs: startMs, change: 1 },
    { atMs: endMs ?? Number.POSITIVE_INFINITY, change: -1 },
  ])
  let now = 0
  let most = 0
  for (const { change } of moments.toSorted((a, b) => a.atMs - b.atMs || a.change - b.change)) {
    now += change
    most = Math.max(most, now)
  }
  return most
}

/** Bytes that look like nothing, and are the same each time. */
export function someBytes(length: number, seed = 'record-linker'): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < length; at += 64) {
    blocks.push(createHash('sha512').update(`${seed}${at}`).digest())
  }
  return Buffer.concat(blocks).subarray(0, length)
}

/** A document that readers take, with any bytes in its middle. */
export function somePdf(length: number, seed?: string): Buffer {
  const [begin, end] = [Buffer.from('%PDF-1.7\n'), Buffer.from('\n%%EOF\n')]
  return Buffer.concat([begin, someBytes(length - begin.length - end.length, seed), end])
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
