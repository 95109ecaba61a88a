/**
 * A host of files on loopback, in a process of its own, for `download-lab.ts`: `/SIZE/NUMBER` is a file of so many bytes, all
 * different. Answers may be kept for an hour. Says its port; `/bodies` tells how many it has sent.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'

const block = randomBytes(1024 * 1024)
const startedAt = new Date().toUTCString()
let bodies = 0

const server = createServer((request, response) => {
  if (request.url === '/bodies') {
    response.end(`${bodies}`)
    return
  }
  const [, size = '0', number = '0'] = (request.url ?? '').split('/')
  response.writeHead(200, {
    'content-length': size,
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=3600',
    'last-modified': startedAt,
    etag: `"${size}-${number}"`,
  })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  bodies += 1
  send(response, Buffer.from(`file ${number}\n`), Number(size))
})

/** The first bytes tell files apart; the rest is the same block again and again. */
function send(response: ServerResponse, first: Buffer, size: number): void {
  let left = size - first.length
  let isMore = response.write(first.subarray(0, size))
  const go = (): void => {
    while (left > 0 && isMore) {
      const part = left >= block.length ? block : block.subarray(0, left)
      left -= part.length
      isMore = response.write(part)
    }
    if (left <= 0) response.end()
  }
  response.on('drain', () => {
    isMore = true
    go()
  })
  go()
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('expected a port')
  process.send?.(address.port)
})
