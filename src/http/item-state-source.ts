/** A service that can say what has become of items by their ids. */
import type { OutsideCallError } from '../errors.ts'
import type { Exchange } from './exchange-record.ts'

/** What became of one item. `missing`: deleted, or never there; `failed`: could not be asked, which says nothing. */
export type ItemStateAnswer =
  | { readonly id: string; readonly state: 'present' | 'missing' }
  | { readonly id: string; readonly state: 'merged'; readonly into: string }
  | { readonly id: string; readonly state: 'failed'; readonly error: OutsideCallError }

export interface ItemStateOptions {
  readonly signal: AbortSignal
  /** Told of every request once it has ended; awaited. */
  readonly onExchange: (exchange: Exchange) => Promise<void>
}

export interface ItemStateSource {
  /**
   * Each id is answered once. A service that finds nothing by its id says `missing` of all; whether it can tell is
   * for the caller to conclude from what it has found `present`.
   * @throws OutsideCallError when the service as a whole cannot be asked now; the signal's reason when aborted
   */
  statesOf(ids: readonly string[], options: ItemStateOptions): Promise<readonly ItemStateAnswer[]>
}
