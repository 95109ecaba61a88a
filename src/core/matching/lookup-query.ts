/** One distinct question to a W3C reconciliation service, in the words of API 0.2. */

export type PropertyValue = string | { readonly id: string }

export interface LookupProperty {
  readonly pid: string
  readonly v: PropertyValue | readonly PropertyValue[]
}

export interface LookupQuery {
  /** The name asked for, never blank, exactly as the record has it after trimming. */
  readonly query: string
  /** Type ids; empty when no type is asked for. */
  readonly types: readonly string[]
  /** Candidates wanted, 1 to 50. */
  readonly limit: number
  /** Sorted by pid; one entry per pid; no blank values. */
  readonly properties: readonly LookupProperty[]
}
