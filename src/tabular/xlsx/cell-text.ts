/** What a cell shows, as text. */
import { format } from 'numfmt'
import { unescapedText } from './shared-strings.ts'

/** A cell as the file has it. */
export interface StoredCell {
  /** `s` shared text, `str` a formula's text, `inlineStr`, `b`, `e` an error, `d` an ISO date; else a number. */
  readonly type: string
  readonly value: string
  /** Text of an `inlineStr`. */
  readonly inline: string
  readonly style: number
  readonly isFormula: boolean
}

export interface CellContext {
  readonly sharedStrings: readonly string[]
  readonly formats: readonly string[]
  readonly isFrom1904: boolean
}

export type CellText = { readonly text: string } | { readonly fault: string }

/** Days from the first of 1900, as Excel counts them, to the first of 1904. */
const DAYS_TO_1904 = 1462
const GENERAL = /^general$/i
/** Digits that a spreadsheet keeps of a number. */
const DIGITS = 15
const DATE = /[ymdhs]/i
const LITERAL = /"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi

/**
 * As the spreadsheet shows it, with two exceptions: a number is never shortened to fit its column (`1.23457E+12` would
 * be another identifier), and a date "as in the reader's country" is ISO.
 */
export function cellText(cell: StoredCell, context: CellContext): CellText {
  const { type, value, inline } = cell
  switch (type) {
    case 's': {
      const text = context.sharedStrings[Number(value)]
      return text === undefined ? { fault: 'names a text that the file does not have' } : { text }
    }
    case 'inlineStr':
      return { text: unescapedText(inline === '' ? value : inline) }
    case 'str':
      return { text: unescapedText(value) }
    case 'b':
      return { text: value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE' }
    case 'e':
    case 'd':
      return { text: value.trim().replace(/T00:00:00(?:\.0+)?Z?$/, '') }
    default:
      return numberText(cell, context)
  }
}

function numberText(cell: StoredCell, { formats, isFrom1904 }: CellContext): CellText {
  const stored = cell.value.trim()
  if (stored === '') {
    return cell.isFormula
      ? { fault: 'holds a formula whose result was never stored' }
      : { text: '' }
  }
  const number = Number(stored)
  if (!Number.isFinite(number)) return { fault: `holds "${stored.slice(0, 30)}" as a number` }
  const pattern = formats[cell.style] ?? 'General'
  if (GENERAL.test(pattern)) return { text: plainNumber(number) }
  const isDate = DATE.test(pattern.replace(LITERAL, ''))
  try {
    const shown = isDate && isFrom1904 ? number + DAYS_TO_1904 : number
    return { text: format(pattern, shown, { nbsp: false }).trim() }
  } catch {
    // A format that only some other program understands: the number itself is better than nothing.
    return { text: plainNumber(number) }
  }
}

/** Written out, without the noise of binary fractions. */
function plainNumber(number: number): string {
  const rounded = Number(number.toPrecision(DIGITS))
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e21
    ? BigInt(rounded).toString()
    : String(rounded)
}
