/** Data extension as the fake services of the tests answer it. */
import type { FakeAnswer, FakeRequest } from './fake-reconciliation-service.ts'

export interface AskedExtension {
  readonly ids: readonly string[]
  readonly properties: readonly { readonly id: string }[]
}

/** What a request asks of items; null: it is about something else. */
export function extensionIn({ body }: FakeRequest): AskedExtension | null {
  const extend = new URLSearchParams(body).get('extend')
  return extend === null ? null : (JSON.parse(extend) as AskedExtension)
}

/** Each property of each item has one value, `P1 of Q64`. */
export function extensionAnswer({ ids, properties }: AskedExtension): FakeAnswer {
  const cellsOf = (item: string) =>
    Object.fromEntries(properties.map(({ id }) => [id, [{ str: `${id} of ${item}` }]]))
  return { json: { meta: [], rows: Object.fromEntries(ids.map((id) => [id, cellsOf(id)])) } }
}
