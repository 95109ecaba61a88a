import { OutsideCallError } from '../errors.ts'
import type { Exchange } from './exchange-record.ts'

export type TellExchange = (exchange: Exchange) => Promise<void> | void

/**
 * Makes a call and tells of its requests once it has ended, however it ended; awaited, one after the other. An answer
 * that could not be read is told as the failure it is, although HTTP was content with it.
 * @param call gets what `HttpRequest.onExchange` is to be
 * @throws what `call` or `tell` throws
 */
export async function tellExchanges<T>(
  tell: TellExchange,
  call: (onExchange: (exchange: Exchange) => void) => Promise<T>,
): Promise<T> {
  const exchanges: Exchange[] = []
  try {
    return await call((exchange) => exchanges.push(exchange))
  } catch (error) {
    const last = exchanges.at(-1)
    if (error instanceof OutsideCallError && last?.kind === 'ok') {
      const { kind, code, message } = error
      exchanges.splice(-1, 1, { ...last, kind, code, message })
    }
    throw error
  } finally {
    for (const exchange of exchanges) await tell(exchange)
  }
}
