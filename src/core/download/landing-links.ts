/** Where the page of a publication says that its document is. */
import { linksOf } from './page-links.ts'
import type { AskedPage } from './resolver.ts'

const PDF = 'application/pdf'

/**
 * Addresses of the document, the surest first: `Link` headers of the kind of https://signposting.org, the mark that
 * search engines read (`citation_pdf_url`), links of the head of the page.
 */
export function landingLinks({ url, headers, text }: AskedPage): readonly string[] {
  const raw = headers['link']
  const header = linksOf(typeof raw === 'string' ? raw : (raw ?? []).join(', '))
  const found = [
    ...header.filter(({ rels, type }) => rels.includes('item') && (type ?? PDF) === PDF),
    ...header.filter(({ rels, type }) => rels.includes('alternate') && type === PDF),
  ].map(({ target }) => target)
  const head = text.slice(0, HEAD_LENGTH)
  for (const tag of head.match(/<meta\b[^>]*>/gi) ?? []) {
    if (/^citation_pdf_url$/i.test(attribute(tag, 'name') ?? '')) {
      found.push(attribute(tag, 'content') ?? '')
    }
  }
  for (const tag of head.match(/<link\b[^>]*>/gi) ?? []) {
    if (attribute(tag, 'type')?.toLowerCase() === PDF) found.push(attribute(tag, 'href') ?? '')
  }
  const absolute = found
    .filter((target) => target !== '' && URL.canParse(target, url))
    .map((target) => new URL(target, url))
    .filter(({ protocol }) => protocol === 'http:' || protocol === 'https:')
    .map(({ href }) => href)
  return [...new Set(absolute)]
}

/** Characters in which a page says what it is about. */
const HEAD_LENGTH = 200_000

function attribute(tag: string, name: string): string | undefined {
  const [, quoted, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? []
  return (quoted ?? single ?? bare)?.trim().replaceAll('&amp;', '&')
}
