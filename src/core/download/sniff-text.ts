/**
 * Formats that no magic number tells: HTML, SVG, XML, JSON and CSV; and a PDF whose mark comes after something else. Pure.
 */

/** A PDF reader looks so far for the mark, and a browser for a tag. */
const sniffedBytes = 1024

/** @param head begin of a body @returns the media type; null: not one of them */
export function sniffText(head: Uint8Array): string | null {
  const begin = new TextDecoder('latin1').decode(head.subarray(0, sniffedBytes))
  // A page about PDF can quote its mark, so the first tag wins.
  const text = begin
    .replace(/^(?:ï»¿|þÿ|ÿþ)/, '')
    .replaceAll('\0', '')
    .trimStart()
  if (isHtml(text)) return 'text/html'
  if (/%PDF-\d/.test(begin)) return 'application/pdf'
  if (isBinary(begin)) return null
  const untagged = withoutProlog(text)
  if (/^<(?:\w+:)?svg[\s>]/i.test(untagged)) return 'image/svg+xml'
  if (/^<html[\s>]/i.test(untagged)) return 'text/html'
  if (text.startsWith('<?xml') || /^<[a-z][\w:.-]*(?:\s[^<]*)?>/i.test(untagged))
    return 'application/xml'
  if (isJson(text)) return 'application/json'
  return isCsv(text, head.length > sniffedBytes) ? 'text/csv' : null
}

function isHtml(text: string): boolean {
  const untagged = withoutProlog(text)
  return /^(?:<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]|<title[\s>]|<script[\s>]|<meta\s)/i.test(
    untagged,
  )
}

/** Without the XML declaration, comments, and a document type that is not that of HTML. */
function withoutProlog(text: string): string {
  let rest = text
  for (;;) {
    const next = rest
      .replace(/^<\?[^>]*\?>\s*/, '')
      .replace(/^<!--[\s\S]*?-->\s*/, '')
      .replace(/^<!doctype\s+(?!html)[^>[]*(?:\[[^\]]*\]\s*)?>\s*/i, '')
    if (next === rest) return rest
    rest = next
  }
}

function isJson(text: string): boolean {
  return /^(?:\{\s*(?:"|\}\s*$)|\[\s*(?:[{["\d-]|true|false|null|\]\s*$))/.test(text)
}

/** At least two lines that have the same number, one at least, of the same separator outside quotes. */
function isCsv(text: string, isCut: boolean): boolean {
  const lines = text.split(/\r?\n/)
  const whole = (isCut ? lines.slice(0, -1) : lines).filter((line) => line !== '')
  if (whole.length < 2) return false
  return [',', ';', '\t', '|'].some((separator) => {
    const counts = whole.map(
      (line) => line.replace(/"(?:[^"]|"")*"/g, '').split(separator).length - 1,
    )
    return (counts[0] ?? 0) > 0 && counts.every((count) => count === counts[0])
  })
}

function isBinary(begin: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(begin)
}
