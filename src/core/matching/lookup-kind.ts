import type { LookupQuery } from './lookup-query.ts'

/**
 * How a question finds candidates: `batch` in a batch of a reconciliation service; of Wikidata `id` by an id that is
 * given, `identifier` by identifiers of the record, `label` by how labels begin, `words` by words anywhere.
 */
export type LookupKind = 'batch' | 'id' | 'identifier' | 'label' | 'words'

export function lookupKind({ search, query }: Pick<LookupQuery, 'search' | 'query'>): LookupKind {
  if (search === undefined) return 'batch'
  if (search !== 'text') return search
  // No name is sent with an operator (`plainWords`).
  return query.startsWith('haswbstatement:') ? 'identifier' : 'words'
}
