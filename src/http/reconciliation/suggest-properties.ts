/** The suggest service of API 0.2 for properties: GET with a prefix, a `result` list of `id` and `name`. */
import type { HttpClient } from '../http-client.ts'
import { malformedAnswer } from './read-answer.ts'
import { field, isJsonObject, parseTolerantJson } from './tolerant-json.ts'

export interface SuggestedProperty {
  readonly id: string
  readonly name: string
  readonly description: string | null
}

const MOST_SUGGESTED = 20

/**
 * @param url of the suggest service, from the manifest
 * @throws OutsideCallError
 */
export async function suggestProperties(
  http: Pick<HttpClient, 'request'>,
  url: string,
  prefix: string,
  request: { readonly signal: AbortSignal; readonly project: string },
): Promise<readonly SuggestedProperty[]> {
  const address = new URL(url)
  address.searchParams.set('prefix', prefix)
  const { bodyText } = await http.request({ method: 'GET', url: address.href, ...request })
  const result = resultOf(bodyText)
  if (!Array.isArray(result)) throw malformedAnswer(bodyText)
  const entries: readonly unknown[] = result.slice(0, MOST_SUGGESTED)
  return entries.filter(isJsonObject).flatMap((entry) => {
    const [id, name, description] = ['id', 'name', 'description'].map((key) => field(entry, key))
    if (typeof id !== 'string' || id === '') return []
    return [
      {
        id,
        name: typeof name === 'string' ? name : id,
        description: typeof description === 'string' ? description : null,
      },
    ]
  })
}

function resultOf(bodyText: string): unknown {
  try {
    const answer = parseTolerantJson(bodyText)
    return isJsonObject(answer) ? field(answer, 'result') : undefined
  } catch (error) {
    throw malformedAnswer(bodyText, error)
  }
}
