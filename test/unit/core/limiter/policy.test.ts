import { expect, it } from 'vitest'
import { domainKey } from '../../../../src/core/domain-key.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'

it.each([
  ['http://127.0.0.1:8080/reconcile', 100, 100, 8],
  ['http://[::1]:8080/', 100, 100, 8],
  ['http://localhost/', 100, 100, 8],
  ['https://www.wikidata.org/w/api.php', 3, 200 / 60, 3],
  ['https://nl.wikipedia.org/', 3, 200 / 60, 3],
  ['https://query.wikidata.org/sparql', 1, 200 / 60, 1],
  ['https://query-scholarly.wikidata.org/sparql', 1, 200 / 60, 1],
  ['https://notwikidata.org/', 1, 20, 4],
  ['https://wikidata.org.example.com/', 1, 20, 4],
  ['https://localhost.example.com/', 1, 20, 4],
  ['https://12.7.0.0.1.example.com/', 1, 20, 4],
  ['https://collections.example.org:8443/', 1, 20, 4],
])(
  '%s is first asked %f, at most %f times a second, %i at once',
  (url, initialRps, maxRps, maxInFlight) => {
    expect(defaultPolicy(domainKey(url))).toMatchObject({
      strategy: 'adaptive',
      initialRps,
      maxRps,
      maxInFlight,
    })
  },
)

it('only the query service meters processing: a second of it per second, a minute saved up', () => {
  expect(defaultPolicy('query.wikidata.org')).toMatchObject({ costPerSecond: 1, costBurst: 60 })
  expect(defaultPolicy('www.wikidata.org').costPerSecond).toBeNull()
})
