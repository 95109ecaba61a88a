/**
 * What became of items, from a reconciliation service: there is no call for it, but services find an item by its id as
 * a query (openrefine-wikibase and `serve-kb` do), and one that was merged as the item it became part of.
 */
import type { Candidate } from '../../core/matching/candidate.ts'
import type { ItemStateAnswer, ItemStateOptions, ItemStateSource } from '../item-state-source.ts'
import type { ReconciliationManifest } from './read-manifest.ts'
import { defaultBatchSize, type ReconciliationClient } from './reconciliation-client.ts'

/** Enough to see whether an answer is one item or a search by name. */
const CANDIDATES = 5

export function createItemStateSource(
  client: Pick<ReconciliationClient, 'ask'>,
  manifest: (call: ItemStateOptions) => Promise<Pick<ReconciliationManifest, 'batchSize'>>,
): ItemStateSource {
  return {
    async statesOf(ids, options) {
      const { signal, onExchange } = options
      const { batchSize } = await manifest(options)
      const asked = ids.map((query, id) => ({
        id,
        query: { query, types: [], limit: CANDIDATES, properties: [] },
      }))
      const { results } = await client.ask(asked, {
        signal,
        batchSize: batchSize ?? defaultBatchSize,
        onAttempt: onExchange,
      })
      return results.map((result): ItemStateAnswer => {
        const id = ids[result.id] ?? ''
        return result.status === 'failed'
          ? { id, state: 'failed', error: result.error }
          : stateFrom(id, result.list.candidates)
      })
    },
  }
}

/** Exported for its tests. A merged item is the only answer, certain, and not found because it is called like the id. */
export function stateFrom(id: string, candidates: readonly Candidate[]): ItemStateAnswer {
  if (candidates.some((candidate) => candidate.id === id)) return { id, state: 'present' }
  const [only, other] = candidates
  const isTarget = only !== undefined && other === undefined && only.serviceMatch
  if (!isTarget || only.names.includes(id)) return { id, state: 'missing' }
  return { id, state: 'merged', into: only.id }
}
