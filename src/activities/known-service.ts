import type { DomainSilence } from '../core/domain-silence.ts'
import type { PlannedFetch } from '../core/wikidata/fetch-plan.ts'
import type { ItemFacts } from '../core/wikidata/item-facts.ts'
import type { ServiceFacts } from '../db/services.repo.ts'
import type { ServiceAbout } from '../db/tables/service-version.table.ts'
import type { ItemStateSource } from '../http/item-state-source.ts'
import type { AskedLookups } from '../http/reconciliation/ask-lookups.ts'
import type { LookupToAsk } from '../http/reconciliation/lookup-result.ts'
import type { AskOptions } from '../http/reconciliation/reconciliation-client.ts'
import type { SuggestedProperty } from '../http/suggested-property.ts'
import type { TellExchange } from '../http/tell-exchanges.ts'
import type { ValueSource } from '../http/value-source.ts'

export interface ServiceCall {
  readonly signal: AbortSignal
  /** Told of every request once the call has ended, however it ended; awaited. */
  readonly onExchange: TellExchange
}

/** A service as it was found. */
export interface CheckedService {
  /** What it says of itself; the same object until it is read again. */
  readonly about: ServiceAbout & ServiceFacts
  /** Lookups that are worth asking together. */
  readonly batchSize: number
}

/**
 * Whoever proposes candidates and knows items, whatever the API behind it, as one project asks it; what is learned of
 * it lasts as long as the process.
 */
export interface KnownService {
  readonly url: string
  /** For how long it has not answered; null when its last answer came. */
  silence: DomainSilence | null
  /**
   * Learns how to ask it, once per process; `afresh` asks whether it is there and lets us in.
   * @throws OutsideCallError, kind `endpoint` when it turns us away or is not what it should be.
   */
  check(call: ServiceCall, afresh?: boolean): Promise<CheckedService>
  /** Delivers each answer as it comes. @throws OutsideCallError what `ReconciliationClient.ask` throws. */
  ask(lookups: readonly LookupToAsk[], options: AskOptions): Promise<AskedLookups>
  /** Fetches what is known of candidates; null: the answers say it themselves. @throws OutsideCallError */
  readonly fetchItems:
    ((fetch: PlannedFetch, call: ServiceCall) => Promise<readonly ItemFacts[]>) | null
  /** What its items state. */
  readonly values: ValueSource
  /** What has become of its items. */
  readonly states: ItemStateSource
  /**
   * Finds properties by name.
   * @param language of the text
   * @returns null where it offers no such search
   * @throws OutsideCallError
   */
  suggestProperties(
    text: string,
    language: string,
    call: ServiceCall,
  ): Promise<readonly SuggestedProperty[] | null>
}
