/** Answers of a service of the 1.0 draft, for `startFakeService`. */
import type { FakeAnswer, FakeHandler, FakeRequest } from './fake-reconciliation-service.ts'

export interface DraftQuery {
  readonly type?: string
  readonly limit?: number
  readonly conditions: readonly {
    readonly matchType: string
    readonly propertyId?: string
    readonly propertyValue: unknown
    readonly required?: boolean
  }[]
}

/** The decoded batch; null for a request without one. */
export function draftQueries({ method, body }: FakeRequest): readonly DraftQuery[] | null {
  return method === 'POST' ? (JSON.parse(body) as { queries: DraftQuery[] }).queries : null
}

/** The name that a query asks for. */
export function draftName({ conditions }: DraftQuery): string {
  return String(conditions.find(({ matchType }) => matchType === 'name')?.propertyValue)
}

/** A manifest for a GET; for a POST to `/match` what `answer` makes of the batch, else 404. */
export function draftService(answer: (queries: readonly DraftQuery[]) => FakeAnswer): FakeHandler {
  return (request) => {
    const queries = draftQueries(request)
    if (queries !== null) {
      return request.path.endsWith('/reconcile/match') ? answer(queries) : { status: 404 }
    }
    const view = { url: 'https://entities.example/{id}' }
    return { json: { versions: ['1.0-draft'], name: 'Draft', view } }
  }
}

/** Each name is found as an entity of the same id. */
export function draftFinding(queries: readonly DraftQuery[]): FakeAnswer {
  const results = queries.map((query) => {
    const name = draftName(query)
    return { candidates: [{ id: name, name }] }
  })
  return { json: { results } }
}
