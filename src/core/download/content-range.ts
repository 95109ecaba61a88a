/** The Content-Range header (RFC 9110 §14.4). Pure. */
import { headerText, type ResponseHeaders } from '../retry-after.ts'

export interface ContentRange {
  /** Null: none of the asked bytes exist (of a 416). */
  readonly slice: { readonly start: number; readonly end: number } | null
  /** Null: `*`. */
  readonly totalBytes: number | null
}

/** Undefined for absent, malformed or contradicting values. */
export function contentRange(headers: ResponseHeaders): ContentRange | undefined {
  const text = headerText(headers, 'content-range') ?? ''
  const match = /^\s*bytes\s+(?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)\s*$/i.exec(text)
  if (!match) return undefined
  const totalBytes = match[3] === '*' ? null : Number(match[3])
  if (match[1] === undefined) return { slice: null, totalBytes }
  const [start, end] = [Number(match[1]), Number(match[2])]
  if (end < start || (totalBytes !== null && end >= totalBytes)) return undefined
  return { slice: { start, end }, totalBytes }
}

/** Content-Length; undefined for absent or malformed. */
export function contentLength(headers: ResponseHeaders): number | undefined {
  const text = headerText(headers, 'content-length') ?? ''
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}
