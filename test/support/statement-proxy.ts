/**
 * A way to PostgreSQL that reads along, so that a test can hold a process at a statement of its choice: before the server
 * gets it, or when it was carried out and its answer is on the way back. PostgreSQL protocol 3.0, without TLS.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface SeenStatement {
  /** Number of the connection, from 1. */
  readonly connection: number
  /** Without a comment before it, by which a statement is marked to be prepared. */
  readonly text: string
  /** As text; null: NULL, or in a binary form. */
  readonly values: readonly (string | null)[]
}

/** What becomes of a statement: it goes on, never arrives, or is never answered. */
export type StatementFate = 'pass' | 'hold_before' | 'hold_answer'

export interface StatementProxy {
  /** The address to give to the process. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** @param judge is asked about every statement, in the order in which a connection sends them */
export async function startStatementProxy(
  databaseUrl: string,
  judge: (statement: SeenStatement) => StatementFate,
): Promise<StatementProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const connection = connections
    const postgres = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      // Who died without a word: its transaction is rolled back.
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let isHeld = false
    let isAnswerHeld = false
    const read = statementReader((text, values) => judge({ connection, text, values }))
    client.on('data', (chunk) => {
      if (isHeld) return
      for (const { bytes, fate } of read(chunk)) {
        if (fate === 'hold_before') isHeld = true
        if (isHeld) return
        if (fate === 'hold_answer') isAnswerHeld = true
        postgres.write(bytes)
      }
    })
    postgres.on('data', (chunk) => {
      if (!isAnswerHeld) client.write(chunk)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  return {
    url: url.href,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const LEADING_COMMENT = /^\/\*[^*]*\*\/\s*/

interface Message {
  readonly bytes: Buffer
  readonly fate: StatementFate
}

/** Takes the stream of one connection apart; what is not whole yet is kept for the next chunk. */
function statementReader(
  judge: (text: string, values: SeenStatement['values']) => StatementFate,
): (chunk: Buffer) => readonly Message[] {
  let rest = Buffer.alloc(0)
  /** The first message of a connection has no letter before its length. */
  let isStarted = false
  /** By name; one that is not kept has none. */
  const parsed = new Map<string, string>()
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const lengthAt = isStarted ? 1 : 0
      if (rest.length < lengthAt + 4) return messages
      const end = lengthAt + rest.readInt32BE(lengthAt)
      if (rest.length < end) return messages
      const bytes = rest.subarray(0, end)
      const kind = isStarted ? String.fromCharCode(bytes[0] ?? 0) : 'start'
      const body = bytes.subarray(lengthAt + 4)
      rest = rest.subarray(end)
      isStarted = true
      let fate: StatementFate = 'pass'
      const [first = '', second = ''] = kind === 'start' ? [] : textsOf(body)
      if (kind === 'P') parsed.set(first, second.replace(LEADING_COMMENT, ''))
      if (kind === 'Q') fate = judge(first, [])
      // A portal, then the statement that it is of.
      if (kind === 'B') fate = judge(parsed.get(second) ?? '', boundValues(body))
      messages.push({ bytes, fate })
    }
  }
}

function textsOf(body: Buffer): readonly string[] {
  return body.toString('utf8').split('\0')
}

/** Of a Bind message: two names, the formats, then each value with its length before it. */
function boundValues(body: Buffer): SeenStatement['values'] {
  let at = body.indexOf(0, body.indexOf(0) + 1) + 1
  const formats = Array.from({ length: body.readInt16BE(at) }, (_, index) =>
    body.readInt16BE(at + 2 + 2 * index),
  )
  // One format is of all values, none is text.
  const isBinary = (index: number) => formats[formats.length === 1 ? 0 : index] === 1
  at += 2 + 2 * formats.length
  const count = body.readInt16BE(at)
  at += 2
  return Array.from({ length: count }, (_, index) => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    const value = body.subarray(at, at + length)
    at += length
    return isBinary(index) ? null : value.toString('utf8')
  })
}
