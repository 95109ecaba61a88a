/** Which domain speaks how: a table, so that what a body may mean depends on who sent it. */
import { queryServices, wikimediaSites } from '../../core/wikimedia-sites.ts'
import type { AnswerReading, ReceivedResponse } from './answer-reading.ts'
import { readAny } from './read-any.ts'
import { namesItselfMediaWiki, readMediaWiki } from './read-mediawiki.ts'
import { processingSeconds, readSparql } from './read-sparql.ts'

export interface DomainClassifier {
  /** @param serverNowMs The server's clock as far as known. */
  read(response: ReceivedResponse, serverNowMs: number): AnswerReading
  /** What a request cost that took so long, in the units the server meters; absent: every request is one. */
  readonly costOf?: (latencyMs: number) => number
}

/** Anybody else. A wiki of one's own is known by the header its Action API sends with each error. */
export const generic: DomainClassifier = {
  read: (response, serverNowMs) =>
    (namesItselfMediaWiki(response.headers) ? readMediaWiki(response) : undefined) ??
    readAny(response, serverNowMs),
}

export const mediaWiki: DomainClassifier = {
  read: (response, serverNowMs) => readMediaWiki(response) ?? readAny(response, serverNowMs),
}

export const sparql: DomainClassifier = {
  read: (response, serverNowMs) => readSparql(response) ?? readAny(response, serverNowMs),
  costOf: processingSeconds,
}

/** A domain stands for those below it too; the longest that fits counts. */
const byDomain: ReadonlyMap<string, DomainClassifier> = new Map([
  ...queryServices.map((domain) => [domain, sparql] as const),
  ...[...wikimediaSites, 'wikibase.cloud', 'wmflabs.org'].map(
    (domain) => [domain, mediaWiki] as const,
  ),
])

/** @param domain Limiter key (`domainKey`). */
export function classifierFor(domain: string): DomainClassifier {
  const labels = domain.replace(/:\d+$/, '').split('.')
  for (const first of labels.keys()) {
    const classifier = byDomain.get(labels.slice(first).join('.'))
    if (classifier) return classifier
  }
  return generic
}
