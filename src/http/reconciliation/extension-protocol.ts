/** Data extension of API 0.2 (research/reconciliation.md §1.6): a form field `extend`, rows mapped back by id. Pure. */
import type { HeldValue } from '../../core/matching/candidate.ts'
import { OutsideCallError } from '../../errors.ts'
import type { ItemHoldings } from '../value-source.ts'
import type { BatchReading, BatchRequest } from './batch-protocol.ts'
import { looksLikeManifest } from './looks-like-manifest.ts'
import { field, isJsonObject, type JsonObject, parseTolerantJson } from '../tolerant-json.ts'

export function encodeExtension(
  endpoint: string,
  ids: readonly string[],
  properties: readonly string[],
): BatchRequest {
  const extend = { ids, properties: properties.map((id) => ({ id })) }
  return {
    url: endpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ extend: JSON.stringify(extend) }).toString(),
  }
}

/**
 * Values are found by property id, never by place. An item that has no row was not answered; a property that its row
 * leaves out is one it does not state.
 * @throws OutsideCallError `malformed_answer` (transient) when not one of the items has a row
 */
export function readExtension(
  bodyText: string,
  ids: readonly string[],
  properties: readonly string[],
): BatchReading<ItemHoldings> {
  const body = parsed(bodyText)
  const rows = isJsonObject(body) && !looksLikeManifest(body) ? field(body, 'rows') : undefined
  if (!isJsonObject(rows)) throw malformedExtension(bodyText)
  const answers = ids.map((id) => {
    const row = field(rows, id)
    return isJsonObject(row) ? { held: heldIn(row, properties) } : null
  })
  if (answers.every((answer) => answer === null)) throw malformedExtension(bodyText)
  return { answers, warnings: [] }
}

function heldIn(row: JsonObject, properties: readonly string[]): ItemHoldings['held'] {
  return Object.fromEntries(
    properties.map((property) => {
      const cells = field(row, property)
      const list = Array.isArray(cells) ? cells : [cells]
      return [property, list.flatMap((cell) => readCell(cell) ?? [])]
    }),
  )
}

/** @returns undefined for an empty cell, which says that there is a value and nobody knows it */
function readCell(cell: unknown): HeldValue | undefined {
  if (!isJsonObject(cell)) return textOf(cell)
  const id = textOf(field(cell, 'id'))
  if (id !== undefined) return { id, name: textOf(field(cell, 'name')) }
  return ['str', 'date', 'int', 'float', 'bool']
    .map((kind) => textOf(field(cell, kind)))
    .find((text) => text !== undefined)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function parsed(bodyText: string): unknown {
  try {
    return parseTolerantJson(bodyText)
  } catch (error) {
    throw malformedExtension(bodyText, error)
  }
}

function malformedExtension(bodyText: string, cause?: unknown): OutsideCallError {
  return new OutsideCallError({
    kind: 'transient',
    // The code of every unusable answer: it is known how a batch that gets one is halved.
    code: 'malformed_answer',
    message:
      'The service sent no usable answer about its items; expected a JSON object with "rows", one per item asked for.',
    hint: 'Look whether the item still exists there; if all of them fail, the service has a fault its operator should know of.',
    bodyHead: bodyText.slice(0, 500),
    cause,
  })
}
