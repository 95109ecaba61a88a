/** What never became a request: answered as every other problem is. */
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ProblemError } from './problem.ts'

/** Of the address and the headers together, bytes: a mapping may stand in an address. */
export const MOST_HEADER_BYTES = 64 * 1024

/** For the event `clientError` of a server. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { problem } = problemOf(error.code)
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function problemOf(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ProblemError(431, {
      code: 'headers_too_large',
      detail: `The address and the headers are larger than ${MOST_HEADER_BYTES} bytes.`,
    })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError(408, {
      code: 'request_too_slow',
      detail: 'The request did not arrive in time.',
    })
  }
  return new ProblemError(400, { code: 'invalid_request', detail: 'The request is no HTTP.' })
}
