import { headerText } from '../../core/retry-after.ts'
import type { HttpClient, HttpRequest } from '../http-client.ts'
import { type TellExchange, tellExchanges } from '../tell-exchanges.ts'

export interface SentBatch<Reading> {
  readonly reading: Reading
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Content-Language of the answer, where it has one. */
  readonly language: string | undefined
}

/**
 * Sends one batch and reads its answer.
 * @param tell as `tellExchanges` has it
 * @throws what the request or `read` throws
 */
export async function sendBatch<Reading>(
  http: Pick<HttpClient, 'request'>,
  request: Omit<HttpRequest, 'method' | 'onExchange'>,
  read: (bodyText: string) => Reading,
  tell: TellExchange,
): Promise<SentBatch<Reading>> {
  return tellExchanges(tell, async (onExchange) => {
    const response = await http.request({ ...request, method: 'POST', onExchange })
    const language = headerText(response.headers, 'content-language')?.trim().slice(0, 100)
    return { reading: read(response.bodyText), url: response.url, language }
  })
}
