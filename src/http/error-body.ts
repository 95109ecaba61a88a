/** What the body of an answer says when the status does not, or says something else. Pure. */
import { headerText, type ResponseHeaders } from '../core/retry-after.ts'

/** A longer body is an answer and not parsed twice. Error bodies can repeat the whole batch they got. */
const longestErrorBody = 262_144

/** HTML or XML where JSON belongs; decided by the body, since Content-Type is often wrong. */
export function looksLikeMarkup(bodyText: string): boolean {
  return /^\s*</.test(bodyText)
}

/** Wikimedia's query service answers so for a day to who ignored its 429. */
export function saysBanned(bodyText: string): boolean {
  return !bodyText.trimStart().startsWith('{') && /\bbanned until\b/i.test(head(bodyText))
}

/** A block page by its title or headline; the running text of a documentation page must not count. */
export function titleSaysSlowDown(bodyText: string): boolean {
  return (
    looksLikeMarkup(bodyText) &&
    /<(?:title|h1)\b[^>]*>[^<]*(?:too many requests|rate.?limit|\b429\b)/i.test(head(bodyText))
  )
}

/** `{"status": "error", …}`: how openrefine-wikibase fails a whole batch, with 403 or 200. */
export function isJsonError(bodyText: string): boolean {
  return smallJsonObject(bodyText, '"status"')?.['status'] === 'error'
}

/** `MediaWiki-API-Error`, else `error.code` or `errors[0].code` of the body. */
export function mediaWikiErrorCode(headers: ResponseHeaders, bodyText: string): string | undefined {
  const header = headerText(headers, 'mediawiki-api-error')?.trim()
  if (header) return header
  const body = smallJsonObject(bodyText, '"error')
  const errors: unknown = body?.['errors']
  const first: unknown = body?.['error'] ?? (Array.isArray(errors) ? errors[0] : undefined)
  const code = isObject(first) ? first['code'] : undefined
  return typeof code === 'string' ? code : undefined
}

function smallJsonObject(bodyText: string, mark: string): Record<string, unknown> | undefined {
  if (bodyText.length > longestErrorBody || !bodyText.includes(mark)) return undefined
  try {
    const value: unknown = JSON.parse(bodyText)
    return isObject(value) ? value : undefined
  } catch {
    // Not JSON, so no error body of that form; whoever reads the answer itself will say so.
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function head(bodyText: string): string {
  return bodyText.slice(0, 4_000)
}
