import { describe, expect, it } from 'vitest'
import { domainKey } from '../../../../src/core/domain-key.ts'
import {
  classifierFor,
  generic,
  mediaWiki,
  sparql,
} from '../../../../src/http/classifiers/domain-classifier.ts'

describe('the table of domains', () => {
  it.each([
    ['https://www.wikidata.org/w/api.php', mediaWiki],
    ['https://commons.wikimedia.org/w/api.php', mediaWiki],
    ['https://nl.m.wikipedia.org./', mediaWiki],
    ['https://wikidata.org:8443/', mediaWiki],
    ['https://my-wiki.wikibase.cloud/', mediaWiki],
    ['https://wikidata-reconciliation.wmcloud.org/en/api', mediaWiki],
    ['https://openrefine-wikidata.toolforge.org/', mediaWiki],
    ['https://query.wikidata.org/sparql', sparql],
    ['https://query-main.wikidata.org/sparql', sparql],
    ['https://commons-query.wikimedia.org/sparql', sparql],
    ['https://www.example.org/', generic],
    ['https://wikidata.org.example.com/', generic],
    ['https://notwikidata.org/', generic],
    ['http://127.0.0.1:8080/', generic],
    ['http://[::1]/', generic],
  ])('%s', (url, expected) => {
    expect(classifierFor(domainKey(url))).toBe(expected)
  })
})
