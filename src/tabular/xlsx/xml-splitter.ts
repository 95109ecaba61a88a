/**
 * Cuts XML into tags and text as it comes in pieces. Only what Office Open XML has: prefixes of names are dropped, a
 * document type is refused, so that nothing can be included or expanded.
 */

export type XmlToken =
  /** `attributes` as they stand; `<v/>` is an open and a close token. */
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

/** `what` continues "NAME …". */
export class XmlFault extends Error {}

const TAG = /<(\/?)(?:[^\s:<>/"']+:)?([^\s:<>/"']+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>/y
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
/** Of one tag or one text: a cell holds at most 32,767 characters. */
const LONGEST_TOKEN = 1024 * 1024
const SPECIAL: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

export class XmlSplitter {
  #rest = ''

  /** Takes the next piece; @returns what is complete now. @throws XmlFault */
  push(text: string): readonly XmlToken[] {
    const whole = this.#rest + text
    const tokens: XmlToken[] = []
    let at = 0
    for (;;) {
      const start = whole.indexOf('<', at)
      // A text ends with the next tag, so that no entity is cut.
      if (start === -1) break
      if (start > at) tokens.push({ kind: 'text', text: unescaped(whole.slice(at, start)) })
      const end = takeMarkup(whole, start, tokens)
      at = end ?? start
      if (end === undefined) break
    }
    this.#rest = whole.slice(at)
    if (this.#rest.length > LONGEST_TOKEN) {
      throw new XmlFault('has something in it that is longer than any cell')
    }
    return tokens
  }

  /** @throws XmlFault when something was begun and not ended. */
  end(): void {
    if (this.#rest.trim() !== '') throw new XmlFault('ends in the middle of a part')
  }
}

/** @returns where it ends; undefined when it is not complete yet. */
function takeMarkup(whole: string, start: number, tokens: XmlToken[]): number | undefined {
  for (const [begin, close] of SPECIAL) {
    if (!whole.startsWith(begin, start)) continue
    const end = whole.indexOf(close, start + begin.length)
    if (end === -1) return undefined
    if (begin === '<![CDATA[') {
      tokens.push({ kind: 'text', text: whole.slice(start + begin.length, end) })
    }
    return end + close.length
  }
  if (whole.startsWith('<!', start)) {
    if (whole.length - start < '<![CDATA['.length) return undefined
    throw new XmlFault('has a document type, which no spreadsheet needs')
  }
  TAG.lastIndex = start
  const match = TAG.exec(whole)
  if (match === null) return undefined
  const [, slash, name = '', attributes = '', selfClosing] = match
  if (slash === '/') tokens.push({ kind: 'close', name })
  else tokens.push({ kind: 'open', name, attributes })
  if (selfClosing === '/') tokens.push({ kind: 'close', name })
  return TAG.lastIndex
}

const patterns = new Map<string, RegExp>()

/** The value of an attribute, its prefix included in the name (`r:id`); undefined when it is not there. */
export function attributeOf(attributes: string, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const match = pattern.exec(attributes)
  return match === null ? undefined : unescaped(match[1] ?? match[2] ?? '')
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, named?: string) => {
    if (named !== undefined) return NAMED[named.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
