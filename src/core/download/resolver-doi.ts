import { landingLinks } from './landing-links.ts'
import type { Resolver } from './resolver.ts'

/**
 * The document behind a DOI: its page is asked for, and says where the document is.
 * @param base where DOIs are looked up, without a slash at the end
 */
export function doiResolver(base: string): Resolver {
  return {
    name: 'doi',
    match: ({ doi }) => doi !== undefined,
    async plans({ doi = '', expected, licence }, { ask }) {
      const address = `${base}/${encodeURI(doi).replaceAll('#', '%23').replaceAll('?', '%3F')}`
      const page = await ask(address)
      const urls = isPage(page.headers['content-type']) ? landingLinks(page) : [address]
      return urls.map((url) => ({
        resolver: 'doi',
        url,
        expected: { types: ['application/pdf'], ...expected },
        ...(licence === undefined ? {} : { licence }),
      }))
    },
  }
}

// What is no page is the document itself.
function isPage(type: string | readonly string[] | undefined): boolean {
  return /html|xml/i.test(String(type ?? 'text/html'))
}
