/** Where values of items come from, whatever the API behind it. */
import type { HeldValue } from '../core/matching/candidate.ts'
import type { OutsideCallError } from '../errors.ts'
import type { Exchange } from './exchange-record.ts'

/** Values of one item; each property that was asked for is there, an empty list says that it states nothing. */
export interface ItemHoldings {
  readonly held: Readonly<Record<string, readonly HeldValue[]>>
}

export type ItemAnswer =
  | (ItemHoldings & { readonly id: string; readonly status: 'answered' })
  /** It was asked and not answered. Kind `permanent`: the source refused this very item; else `transient`. */
  | { readonly id: string; readonly status: 'failed'; readonly error: OutsideCallError }

export interface FetchOptions {
  /** Of the names of items that are values, best first; a service with one language of its own does not heed them. */
  readonly languages: readonly string[]
  readonly signal: AbortSignal
  /** Gets each item once, as soon as it is final; awaited before the next request is sent. */
  readonly onAnswer: (answers: readonly ItemAnswer[]) => Promise<void>
  /** Told of every request, redirect hops too, once it has ended; awaited. */
  readonly onExchange: (exchange: Exchange) => Promise<void>
}

export interface ValueSource {
  /**
   * Asks what items state, in batches as large as the source takes.
   * @param properties as the source knows them: `P569`, and where it has them `Len`, `Dde`, `Snlwiki`
   * @throws OutsideCallError when the source as a whole cannot be asked now (all kinds but `permanent`): what was
   *   final by then has been delivered, what is missing is to be asked again.
   * @throws the signal's reason when aborted; whatever onAnswer or onExchange throws.
   */
  fetchValues(
    ids: readonly string[],
    properties: readonly string[],
    options: FetchOptions,
  ): Promise<void>
}
