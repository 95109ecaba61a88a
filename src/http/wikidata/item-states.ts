import type { ItemStateAnswer, ItemStateSource } from '../item-state-source.ts'
import { field, type JsonObject } from '../tolerant-json.ts'
import type { ActionApi } from './action-api.ts'
import { askEntities, type EntityResult } from './ask-entities.ts'
import { fetchEntities } from './fetch-entities.ts'

/** What became of items, by their ids; a redirect to a redirect is shown as missing. */
export function createWikidataStates(api: ActionApi): ItemStateSource {
  return {
    async statesOf(ids, call) {
      const states: ItemStateAnswer[] = []
      await askEntities(
        ids,
        async (items) => {
          const found = await fetchEntities(api, items, { props: 'info' }, call)
          return items.map((item): CurrentId => ({ now: currentId(found.get(item)) }))
        },
        (results) => void states.push(...results.map(stateFrom)),
      )
      return states
    },
  }
}

interface CurrentId {
  /** Differs from the id asked for where that was merged away; null: there is none. */
  readonly now: string | null
}

function currentId(entity: JsonObject | undefined): string | null {
  const id = entity === undefined ? undefined : field(entity, 'id')
  return typeof id === 'string' ? id : null
}

function stateFrom(result: EntityResult<CurrentId>): ItemStateAnswer {
  const { item: id } = result
  if (result.status === 'failed') return { id, state: 'failed', error: result.error }
  if (result.now === null) return { id, state: 'missing' }
  return result.now === id ? { id, state: 'present' } : { id, state: 'merged', into: result.now }
}
