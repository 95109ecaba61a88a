/** What the body of an answer says when the status does not, or says something else. Pure. */

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

/** The end of a ban as the body names it, ms since the epoch; undefined when it names no instant we can read. */
export function bannedUntilMs(bodyText: string): number | undefined {
  const instant =
    /\bbanned until:?\s+(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)/i.exec(
      head(bodyText),
    )
  const ms = instant ? Date.parse(`${instant[1] ?? ''}${instant[2] ?? ''}`) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
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

/** The body as a JSON object if it is one, is no longer than error bodies are, and contains `mark`. */
export function smallJsonObject(
  bodyText: string,
  mark: string,
): Record<string, unknown> | undefined {
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
