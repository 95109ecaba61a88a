/** The address of `rel="next"` in a `Link` header (RFC 8288), as it stands there; null: there is none. */
export function nextLink(header: string | undefined): string | null {
  if (header === undefined) return null
  for (const [, target = '', params = ''] of header.matchAll(LINK)) {
    const relations = REL.exec(params)
    const words = (relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/)
    if (words.includes('next')) return target.trim()
  }
  return null
}

const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s";,]+))?)*)/g
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i
