/**
 * Cuts CSV text into records. Written by hand because a record must come with its exact text (an export repeats it
 * byte for byte) and because one bad quote must cost one line: csv-parse 7 drops the lines up to the next quote, and
 * from an unclosed quote on the whole file.
 *
 * A field that starts with the quote character ends with the next single one; two in a row are one. A quote inside an
 * unquoted field is an ordinary character (RFC 4180 forbids it, real files have it). `\n` and `\r\n` end a record; a
 * lone `\r` does only in files without any `\n`. When a quoted field never ends, or text follows its closing quote,
 * the line where the record began is reported as a fault and reading goes on with the next line.
 */

export interface CsvDialect {
  /** One character. */
  readonly delimiter: string
  /** One character; null: quotes are ordinary characters. */
  readonly quote: string | null
  readonly lineBreak: '\n' | '\r'
}

export interface SplitRecord {
  /** Physical line on which it starts, from 1. */
  readonly line: number
  /** Its text without the line ending. */
  readonly raw: string
  readonly cells: readonly string[]
}

export interface SplitFault {
  readonly line: number
  readonly raw: string
  readonly fault: string
}

export type SplitLine = SplitRecord | SplitFault

/** Longest record in UTF-16 units: a bound for what an unclosed quote can swallow. */
const LONGEST_RECORD = 32 * 1024 * 1024

type Parsed = { readonly cells: string[]; readonly end: number } | { readonly fault: string }

export class CsvSplitter {
  readonly #dialect: CsvDialect
  #text = ''
  #line = 1
  /** Not worth parsing below this length: keeps a huge cell that comes in many pieces linear. */
  #worthwhile = 0

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect
  }

  /** Takes the next piece of text and returns the records that are complete now; blank lines are left out. */
  push(text: string): SplitLine[] {
    this.#text += text
    return this.#text.length < this.#worthwhile ? [] : this.#split(false)
  }

  /** The text is over: what is left is the last record. */
  end(): SplitLine[] {
    return this.#split(true)
  }

  #split(ended: boolean): SplitLine[] {
    const lines: SplitLine[] = []
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const parsed = this.#record(at, ended)
      if (parsed === null) break
      const end = 'fault' in parsed ? this.#lineEnd(at) : parsed.end
      // Without its end the faulty line cannot be reported yet.
      if (end === text.length && !ended) break
      const raw = text.slice(at, this.#withoutCarriageReturn(at, end))
      if ('fault' in parsed) lines.push({ line: this.#line, raw, fault: parsed.fault })
      else if (raw !== '') lines.push({ line: this.#line, raw, cells: parsed.cells })
      this.#line += 1 + occurrences(raw, this.#dialect.lineBreak)
      at = end + 1
    }
    this.#text = text.slice(at)
    this.#worthwhile = 2 * this.#text.length
    return lines
  }

  /** Parses the record at a position; null: its end has not come yet. */
  #record(start: number, ended: boolean): Parsed | null {
    const text = this.#text
    const { delimiter, quote, lineBreak } = this.#dialect
    const cells: string[] = []
    let at = start
    for (;;) {
      let end: number
      if (quote !== null && text[at] === quote) {
        const field = quotedField(text, at, quote)
        if (field === null) {
          if (!ended && text.length - start < LONGEST_RECORD) return null
          return {
            fault: `has a quote that opens in column ${cells.length + 1} and is never closed`,
          }
        }
        end = field.end
        const next = this.#withCarriageReturn(end)
        if (next === text.length && !ended) return null
        if (next < text.length && text[end] !== delimiter && text[next] !== lineBreak) {
          return { fault: `has text after the closing quote of column ${cells.length + 1}` }
        }
        cells.push(field.cell)
        if (text[end] !== delimiter) return { cells, end: next }
      } else {
        end = fieldEnd(text, at, delimiter, lineBreak)
        if (end === text.length && !ended) return null
        if (text[end] !== delimiter) {
          cells.push(text.slice(at, this.#withoutCarriageReturn(at, end)))
          return { cells, end }
        }
        cells.push(text.slice(at, end))
      }
      at = end + 1
    }
  }

  #lineEnd(start: number): number {
    const end = this.#text.indexOf(this.#dialect.lineBreak, start)
    return end === -1 ? this.#text.length : end
  }

  #withCarriageReturn(end: number): number {
    return this.#dialect.lineBreak === '\n' && this.#text[end] === '\r' ? end + 1 : end
  }

  #withoutCarriageReturn(start: number, end: number): number {
    const couldBePair = this.#dialect.lineBreak === '\n' && (this.#text[end] ?? '\n') === '\n'
    return couldBePair && end > start && this.#text[end - 1] === '\r' ? end - 1 : end
  }
}

function fieldEnd(text: string, from: number, delimiter: string, lineBreak: string): number {
  const delimiterCode = delimiter.charCodeAt(0)
  const lineBreakCode = lineBreak.charCodeAt(0)
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === delimiterCode || code === lineBreakCode) break
  }
  return at
}

/** The field whose opening quote is at `start`, and the position after its closing one; null: it is not there. */
function quotedField(
  text: string,
  start: number,
  quote: string,
): { readonly cell: string; readonly end: number } | null {
  let cell = ''
  let from = start + 1
  for (;;) {
    const close = text.indexOf(quote, from)
    if (close === -1) return null
    cell += text.slice(from, close)
    if (text[close + 1] !== quote) return { cell, end: close + 1 }
    cell += quote
    from = close + 2
  }
}

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count += 1
  return count
}
