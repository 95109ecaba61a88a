/** Asks a host that closes early, and reads the answer a while later. `node … plain|patient end|cut` */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { createPatientAgent } from '../../../src/http/patient-agent.ts'

/** More than is taken in before somebody reads, and less than would keep the end of the connection away from us. */
const BYTES = 100_000
const [, , kind, end] = process.argv

let isClosed = (): void => undefined
const closed = new Promise<void>((resolve) => (isClosed = resolve))
const server = createServer((_, response) => {
  response.on('close', () => isClosed())
  response.writeHead(200, { 'content-length': BYTES, connection: 'close' })
  if (end === 'cut') response.write(Buffer.alloc(BYTES - 1), () => response.destroy())
  else response.end(Buffer.alloc(BYTES))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const dispatcher = kind === 'plain' ? new Agent() : createPatientAgent(10_000)
const { body } = await request(`http://127.0.0.1:${port}/`, { dispatcher })
body.on('error', () => undefined)
await closed
await sleep(500)
let bytes = 0
try {
  for await (const chunk of body as AsyncIterable<Uint8Array>) bytes += chunk.length
  process.stdout.write(`read ${bytes} of ${BYTES}\n`)
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'other'
  process.stdout.write(`failed: ${code}\n`)
}
await dispatcher.destroy()
server.closeAllConnections()
server.close()
