/**
 * Whether what came before a break may be continued. Bytes of two states of a file must never meet in one: so a strong
 * validator, If-Range, and an answer that begins exactly where we stopped; else everything from zero.
 *
 *   break ── no validator, encoded ──▶ the whole again
 *     └── validator ──▶ Range + If-Range ──▶ 206 as asked: appended
 *                                       ├──▶ 200: its body, from zero
 *                                       ├──▶ 206 of something else: the whole again
 *                                       └──▶ 416, and the part is as long as the file: complete; else the whole again
 */
import { headerText, type ResponseHeaders } from '../retry-after.ts'
import { contentLength, contentRange } from './content-range.ts'
import { contentCodings } from './content-codings.ts'

/** What makes two answers the same file. */
export interface Validator {
  readonly header: 'etag' | 'last-modified'
  readonly value: string
}

/** Of the answer whose body began the file. */
export interface FirstAnswer {
  readonly validator: Validator | null
  /** Null: not told. */
  readonly totalBytes: number | null
}

/** A date is strong only where the file can no longer have changed in the same second (RFC 9110 §8.8.2.2, with its old minute). */
const LEAST_AGE_MS = 60_000

export function firstAnswer(headers: ResponseHeaders): FirstAnswer {
  return { validator: validatorOf(headers), totalBytes: contentLength(headers) ?? null }
}

/** Null: there is nothing to resume by. */
function validatorOf(headers: ResponseHeaders): Validator | null {
  if (contentCodings(headers).length > 0) return null
  if (headerText(headers, 'accept-ranges')?.trim().toLowerCase() === 'none') return null
  const etag = headerText(headers, 'etag')?.trim() ?? ''
  if (/^"[^"]*"$/.test(etag)) return { header: 'etag', value: etag }
  const value = headerText(headers, 'last-modified') ?? ''
  const ageMs = Date.parse(headerText(headers, 'date') ?? '') - Date.parse(value)
  return ageMs >= LEAST_AGE_MS ? { header: 'last-modified', value } : null
}

/** The headers that ask for the rest; undefined: ask for the whole. */
export function resumeHeaders(
  first: FirstAnswer,
  bytesDone: number,
): Readonly<Record<string, string>> | undefined {
  if (first.validator === null || bytesDone === 0) return undefined
  return { range: `bytes=${bytesDone}-`, 'if-range': first.validator.value }
}

/** True: the slice goes on exactly where the part ends, in the same file. */
export function continuesPart(
  first: FirstAnswer,
  bytesDone: number,
  headers: ResponseHeaders,
): boolean {
  const range = contentRange(headers)
  if (range?.slice?.start !== bytesDone || first.validator === null) return false
  if (contentCodings(headers).length > 0) return false
  const { totalBytes } = range
  if (first.totalBytes !== null && totalBytes !== null && totalBytes !== first.totalBytes) {
    return false
  }
  // To the end: there is no second slice.
  if (totalBytes !== null && range.slice.end !== totalBytes - 1) return false
  const { header, value } = first.validator
  const theirs = headerText(headers, header)?.trim()
  // A 206 to If-Range has to repeat the entity tag, but need not repeat the date.
  return theirs === value || (header === 'last-modified' && theirs === undefined)
}

/** True: the refused range began at the end of the file, so the part is all of it. */
export function isWholePart(
  first: FirstAnswer,
  bytesDone: number,
  headers: ResponseHeaders,
): boolean {
  const total = contentRange(headers)?.totalBytes ?? null
  return total === bytesDone && (first.totalBytes === null || first.totalBytes === total)
}
