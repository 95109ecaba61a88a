import { cleanText } from '../clean-text.ts'
import type { SuggestedProperty } from '../suggested-property.ts'
import { field, isJsonObject, type JsonObject } from '../tolerant-json.ts'
import type { ActionApi, ActionCall } from './action-api.ts'

const MOST_SUGGESTED = 20

/**
 * Properties whose label or alias begins with a text.
 * @param language of the text; where a property has no name in it, others are looked through
 * @throws OutsideCallError
 */
export async function suggestWikidataProperties(
  api: ActionApi,
  text: string,
  language: string,
  call: Omit<ActionCall, 'params'>,
): Promise<readonly SuggestedProperty[]> {
  const params = {
    action: 'wbsearchentities',
    search: cleanText(text),
    language,
    uselang: language,
    type: 'property',
    limit: String(MOST_SUGGESTED),
    props: '',
  }
  return api({ ...call, params }, readProperties)
}

function readProperties(body: JsonObject): readonly SuggestedProperty[] | undefined {
  const found = field(body, 'search')
  if (!Array.isArray(found)) return undefined
  return found.filter(isJsonObject).flatMap((entry) => {
    const [id, label, description] = ['id', 'label', 'description'].map((key) => field(entry, key))
    if (typeof id !== 'string') return []
    return [
      {
        id,
        name: typeof label === 'string' ? label : id,
        description: typeof description === 'string' ? description : null,
      },
    ]
  })
}
