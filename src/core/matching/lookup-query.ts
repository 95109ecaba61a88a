/**
 * One distinct question to a service: to a W3C reconciliation service in the words of API 0.2, or, with `search`, one of
 * the ways to find items of Wikidata, which take neither types nor properties.
 */

export type PropertyValue = string | { readonly id: string }

export interface LookupProperty {
  readonly pid: string
  readonly v: PropertyValue | readonly PropertyValue[]
}

export interface LookupQuery {
  /** The name asked for, never blank, exactly as the record has it after trimming; or the text of a search. */
  readonly query: string
  /** Type ids; empty when no type is asked for. */
  readonly types: readonly string[]
  /** Candidates wanted, 1 to 50. */
  readonly limit: number
  /** Sorted by pid; one entry per pid; no blank values. */
  readonly properties: readonly LookupProperty[]
  /**
   * Wikidata only: items whose label or alias begins so (`wbsearchentities`), that have these words (`list=search`), or
   * that have this id, which needs no search.
   */
  readonly search?: 'label' | 'text' | 'id' | undefined
  /** Of a search by label. */
  readonly language?: string | undefined
}
