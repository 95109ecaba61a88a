import type { Dispatcher } from 'undici'
import { contentLength } from '../../core/download/content-range.ts'
import type { ResponseHeaders } from '../../core/retry-after.ts'

/** So little is read to keep the connection; more would cost more than a new one. */
const MOST_BYTES = 16 * 1024
const MOST_MS = 2_000

/** Gets rid of a body that is not wanted: left unread it would block its connection for the next request. */
export async function dropBody(
  body: Dispatcher.ResponseData['body'],
  headers: ResponseHeaders,
): Promise<void> {
  const length = contentLength(headers) ?? Number.POSITIVE_INFINITY
  if (length > MOST_BYTES) {
    destroyBody(body)
    return
  }
  // Whatever comes of it, the body is gone afterwards.
  await body.dump({ limit: MOST_BYTES, signal: AbortSignal.timeout(MOST_MS) }).catch(() => {})
}

/** Closes the connection of a body. */
export function destroyBody(body: Dispatcher.ResponseData['body']): void {
  body.destroy()
}
