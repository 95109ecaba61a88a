/**
 * Entities by id (`wbgetentities`), 50 in one call.
 *
 * One id the server cannot read ends a whole call with `no-such-entity`, so ids are checked first, and a call that ends
 * so all the same is halved until the culprit stands alone: the other 49 arrive (case 28). So is one whose answer is too
 * long for us: statements come whole, and fifty countries are many megabytes.
 */
import { isWikidataId } from '../../core/matching/wikidata-id.ts'
import { OutsideCallError } from '../../errors.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import type { ActionApi, ActionCall } from './action-api.ts'

const BAD_ID = 'no-such-entity'
const TOO_LONG = 'body_too_large'

/**
 * By the id that was asked for: a redirect stands under the old id with the new one inside. undefined: there is none
 * with that id.
 */
export type FoundEntities = ReadonlyMap<string, JsonObject | undefined>

/**
 * @param ids at most 50, any text
 * @param params `props`, `languages` and the like
 * @throws OutsideCallError when the API does not answer: all of it is to be asked again
 */
export async function fetchEntities(
  api: ActionApi,
  ids: readonly string[],
  params: ActionCall['params'],
  call: Omit<ActionCall, 'params'>,
): Promise<FoundEntities> {
  const distinct = [...new Set(ids)]
  const found = new Map<string, JsonObject | undefined>(distinct.map((id) => [id, undefined]))
  const waiting = [distinct.filter(isWikidataId)]
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    if (group.length === 0) continue
    try {
      const asked = { ...call, params: entityParams(group, params) }
      const entities = await api(asked, (body) => readEntities(body, group))
      for (const [id, entity] of entities) found.set(id, entity)
    } catch (error) {
      const code = error instanceof OutsideCallError ? error.code : undefined
      const isOfOne = code === BAD_ID || (code === TOO_LONG && group.length > 1)
      if (!isOfOne) throw error
      const middle = Math.ceil(group.length / 2)
      if (group.length > 1) waiting.unshift(group.slice(0, middle), group.slice(middle))
    }
  }
  return found
}

/** One call. */
export function entityParams(
  ids: readonly string[],
  params: ActionCall['params'],
): ActionCall['params'] {
  return { action: 'wbgetentities', ids: ids.join('|'), redirects: 'yes', ...params }
}

function readEntities(body: JsonObject, ids: readonly string[]): FoundEntities | undefined {
  const entities = field(body, 'entities')
  if (!isJsonObject(entities)) return undefined
  const read = ids.map((id) => [id, field(entities, id)] as const)
  const found = read.flatMap(([id, entity]) =>
    isJsonObject(entity) ? [[id, isThere(entity) ? entity : undefined] as const] : [],
  )
  // Left out without a word is not "missing".
  return found.length < ids.length ? undefined : new Map(found)
}

function isThere(entity: JsonObject): boolean {
  const id = field(entity, 'id')
  return !Object.hasOwn(entity, 'missing') && typeof id === 'string' && isWikidataId(id)
}
