/** The suggest service of API 0.2 for properties: GET with a prefix, a `result` list of `id` and `name`. */
import type { HttpClient, HttpRequest } from '../http-client.ts'
import type { SuggestedProperty } from '../suggested-property.ts'
import { malformedAnswer } from './read-answer.ts'
import type { SecurityScheme } from './security-scheme.ts'
import { authorised, type ServiceCredentials } from './service-credentials.ts'
import { field, isJsonObject, parseTolerantJson } from '../tolerant-json.ts'

export interface SuggestRequest {
  readonly signal: AbortSignal
  /** Whose request it is, for fairness between projects. */
  readonly project: string
  /** How the service wants to be told who asks. */
  readonly authentication: SecurityScheme | null
  readonly credentials: ServiceCredentials
  readonly onExchange: NonNullable<HttpRequest['onExchange']>
}

const MOST_SUGGESTED = 20

/**
 * @param url of the suggest service, from the manifest; may be of another host, which then has a secret of its own
 * @throws OutsideCallError
 */
export async function suggestProperties(
  http: Pick<HttpClient, 'request'>,
  url: string,
  prefix: string,
  { authentication, credentials, ...request }: SuggestRequest,
): Promise<readonly SuggestedProperty[]> {
  const address = new URL(url)
  address.searchParams.set('prefix', prefix)
  const open = { url: address.href, headers: {} }
  const asked = authorised(open, authentication, credentials)
  const { bodyText } = await http.request({ method: 'GET', ...asked, ...request })
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
