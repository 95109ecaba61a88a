import { headerText } from '../../core/retry-after.ts'
import { OutsideCallError } from '../../errors.ts'
import type { Exchange } from '../exchange-record.ts'
import type { HttpClient, HttpRequest } from '../http-client.ts'

export interface SentBatch<Reading> {
  readonly reading: Reading
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Content-Language of the answer, where it has one. */
  readonly language: string | undefined
}

/**
 * Sends one batch and reads its answer. An answer that cannot be read is told as the failure it is, although HTTP was
 * content with it.
 * @param tell Told of every request, redirect hops too, once the answer is read or has failed; awaited.
 * @throws what the request or `read` throws
 */
export async function sendBatch<Reading>(
  http: Pick<HttpClient, 'request'>,
  request: Omit<HttpRequest, 'method' | 'onExchange'>,
  read: (bodyText: string) => Reading,
  tell: (exchange: Exchange) => Promise<void> | void,
): Promise<SentBatch<Reading>> {
  const exchanges: Exchange[] = []
  const tellAll = async (): Promise<void> => {
    for (const exchange of exchanges) await tell(exchange)
  }
  let sent: SentBatch<Reading>
  try {
    const response = await http.request({
      ...request,
      method: 'POST',
      onExchange: (exchange) => exchanges.push(exchange),
    })
    const language = headerText(response.headers, 'content-language')?.trim().slice(0, 100)
    sent = { reading: read(response.bodyText), url: response.url, language }
  } catch (error) {
    const last = exchanges.at(-1)
    if (error instanceof OutsideCallError && last?.kind === 'ok') {
      const { kind, code, message } = error
      exchanges.splice(-1, 1, { ...last, kind, code, message })
    }
    await tellAll()
    throw error
  }
  await tellAll()
  return sent
}
