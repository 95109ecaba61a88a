import type { Db } from '../db/connect.ts'
import type { Exchange } from '../http/exchange-record.ts'
import { recordExchange } from './record-exchange.ts'

/** Keeps each request to a source as an attempt, without its message: a path can hold the id of an item. */
export function recordSourceExchange(db: Db): (exchange: Exchange) => void {
  return (exchange) => {
    // A count that is lost must not cost the answer.
    recordExchange(db, null, { ...exchange, message: null }, []).catch(() => undefined)
  }
}
