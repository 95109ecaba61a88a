import { comparableIdentifier, isIdentifierProperty } from '../core/identifiers/plain-identifier.ts'
import type { KbItem, KbValue } from './kb-item.ts'

/** Finds items by what they state, for questions that name no entity and for identifiers. */
export interface ValueIndex {
  /** Properties that items of the file state. */
  readonly used: readonly string[]
  /** Some item of the file states this property. */
  has(pid: string): boolean
  /** Items that state one of the values, compared without case, scheme and final slash, identifiers without their dress; each once, in file order. */
  itemsWith(pid: string, values: readonly KbValue[]): readonly number[]
  /** Items that state the text as an identifier of whatever kind; none for a text with few digits. */
  withIdentifier(text: string): readonly number[]
}

/** A year or the number in a name is no identifier. */
const ENOUGH_DIGITS = /(?:\d\D*){5}/

/** Builds the index; the values of a property are indexed when it is first asked for. */
export function buildValueIndex(items: readonly KbItem[]): ValueIndex {
  const pids = new Set(items.flatMap((item) => [...item.properties.keys()]))
  const byPid = new Map<string, ReadonlyMap<string, readonly number[]>>()
  const itemsWith: ValueIndex['itemsWith'] = (pid, values) => {
    if (!pids.has(pid)) return []
    const byValue = byPid.get(pid) ?? indexProperty(items, pid)
    byPid.set(pid, byValue)
    const found = values.flatMap((value) =>
      keysOf(pid, value).flatMap((key) => byValue.get(key) ?? []),
    )
    return [...new Set(found)].toSorted((a, b) => a - b)
  }
  const identifierPids = [...pids].filter(isIdentifierProperty)
  const withIdentifier: ValueIndex['withIdentifier'] = (text) =>
    ENOUGH_DIGITS.test(text)
      ? [...new Set(identifierPids.flatMap((pid) => itemsWith(pid, [text])))]
      : []
  return { used: [...pids], has: (pid) => pids.has(pid), itemsWith, withIdentifier }
}

function indexProperty(items: readonly KbItem[], pid: string): ReadonlyMap<string, number[]> {
  const byValue = new Map<string, number[]>()
  items.forEach((item, position) => {
    for (const key of new Set(
      (item.properties.get(pid) ?? []).flatMap((value) => keysOf(pid, value)),
    )) {
      const list = byValue.get(key)
      if (list === undefined) byValue.set(key, [position])
      else list.push(position)
    }
  })
  return byValue
}

function keysOf(pid: string, value: KbValue): readonly string[] {
  const texts = typeof value === 'string' ? [value] : [value.id, value.name ?? '']
  if (isIdentifierProperty(pid)) {
    return texts.map((text) => comparableIdentifier(pid, text)).filter((key) => key !== null)
  }
  return texts.map((text) => comparable(text)).filter((text) => text !== '')
}

function comparable(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/+$/, '')
}
