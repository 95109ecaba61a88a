/** Header fields in the syntax of RFC 9651, of which a malformed one says nothing at all (§4.2). Pure. */
import {
  type Dictionary,
  isInnerList,
  type Item,
  type List,
  parseDictionary,
  parseList,
  ParseError,
} from 'structured-headers'
import { headerText, type ResponseHeaders } from '../core/retry-after.ts'

/** The members of a list, inner lists left out; empty for an absent or malformed field. */
export function listItems(headers: ResponseHeaders, name: string): readonly Item[] {
  const list: List = read(headers, name, parseList) ?? []
  return list.filter((member): member is Item => !isInnerList(member))
}

/** A value of a dictionary; undefined for an absent or malformed field, and for an inner list. */
export function dictionaryValue(headers: ResponseHeaders, name: string, key: string): unknown {
  const dictionary: Dictionary | undefined = read(headers, name, parseDictionary)
  const member = dictionary?.get(key)
  return member && !isInnerList(member) ? member[0] : undefined
}

function read<T>(
  headers: ResponseHeaders,
  name: string,
  parse: (text: string) => T,
): T | undefined {
  const text = headerText(headers, name)
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}
