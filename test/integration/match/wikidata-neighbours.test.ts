/** Items that are fetched together, where some of them, or all, cannot be. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { apiError, entity, fakeWikidata } from '../../support/fake-wikidata.ts'
import type { FakeAnswer, FakeRequest } from '../../support/fake-reconciliation-service.ts'
import {
  human,
  itemValue,
  person,
  personRow as row,
  unitedKingdom,
} from '../../support/wikidata-people.ts'
import {
  actionParams,
  startWikidataServer,
  type WikidataServer,
} from '../../support/wikidata-server.ts'

let server: WikidataServer
beforeAll(async () => {
  server = await startWikidataServer({ random: () => 0 })
})
afterAll(() => server.close())
beforeEach(() => void server.asked())

const named = { name: 'name', variants: [], properties: [] }

/** People who are given by their ids; `refuse` answers the calls for them that it does not pass on. */
async function givenPeople(
  first: number,
  count: number,
  refuse: (ids: readonly string[]) => FakeAnswer | undefined,
) {
  const people = Array.from({ length: count }, (_, index) =>
    person(`Q${first + index}`, `Given ${index}`, '1950-01-01'),
  )
  const answer = fakeWikidata([human, unitedKingdom, ...people])
  server.service.respond((request) => refuse(idsOf(request)) ?? answer(request))
  return server.project(
    people.map(({ id }, index) => row(`r${index}`, id)),
    { mapping: named },
  )
}

function idsOf(request: FakeRequest): readonly string[] {
  return (actionParams(request).get('ids') ?? '').split('|')
}

it('no record fails for another item of its call, however few attempts each has', async () => {
  const project = await givenPeople(41_000, 12, (ids) =>
    ids.length > 10 ? { json: { entities: {} } } : undefined,
  )
  await server.run(project, 1, { maxAttempts: 1, entriesPerTask: 12 })
  const results = await server.results(project)
  expect(results.filter((one) => !/ matched Q/.test(one))).toEqual([])
  const sizes = server
    .asked()
    .filter((one) => one.includes('Q41'))
    .map((one) => one.split('|').length)
  expect(sizes).toEqual([12, 10, 2])
})

it('a domain that was given up is not asked once more for each fifty items', async () => {
  let refused = 0
  const project = await givenPeople(42_000, 120, (ids) => {
    if (ids[0]?.startsWith('Q42') !== true) return undefined
    refused += 1
    return apiError('maxlag', { headers: { 'retry-after': '1' }, error: { lag: 9 } })
  })
  await server.run(project, 1, { giveUpAfterMs: 0, entriesPerTask: 120 })
  const results = await server.results(project)
  expect(results.filter((one) => !one.endsWith('failed domain_unavailable'))).toEqual([])
  expect(refused).toBe(2)
})

it('of a large task the items are looked at by hundreds, so that not all are in memory at once', async () => {
  const people = Array.from({ length: 510 }, (_, index) =>
    entity(`Q${43_000 + index}`, {
      labels: { en: `Given ${index}` },
      claims: { P31: [itemValue('Q43999')] },
    }),
  )
  const kind = entity('Q43999', { labels: { en: 'human being' } })
  server.service.respond(fakeWikidata([...people, kind]))
  const project = await server.project(
    people.map(({ id }, index) => row(`r${index}`, id)),
    { mapping: named },
  )
  await server.run(project, 1, { entriesPerTask: 510 })
  const results = await server.results(project)
  expect(results.filter((one) => !/ matched Q/.test(one))).toEqual([])
  const asked = server.asked().map((one) => one.split('|').length)
  expect(asked).toEqual([...Array.from({ length: 10 }, () => 50), 1, 10])
})
