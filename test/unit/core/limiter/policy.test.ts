import { expect, it } from 'vitest'
import { domainKey } from '../../../../src/core/domain-key.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'

it.each([
  ['http://127.0.0.1:8080/reconcile', 100, 8],
  ['http://[::1]:8080/', 100, 8],
  ['http://localhost/', 100, 8],
  ['https://www.wikidata.org/w/api.php', 200 / 60, 3],
  ['https://query.wikidata.org/sparql', 200 / 60, 3],
  ['https://nl.wikipedia.org/', 200 / 60, 3],
  ['https://notwikidata.org/', 2, 2],
  ['https://wikidata.org.example.com/', 2, 2],
  ['https://localhost.example.com/', 2, 2],
  ['https://12.7.0.0.1.example.com/', 2, 2],
  ['https://collections.example.org:8443/', 2, 2],
])('%s may be asked %f times a second, %i at once', (url, maxRps, maxInFlight) => {
  expect(defaultPolicy(domainKey(url))).toMatchObject({ maxRps, maxInFlight })
})
