import { expect, it } from 'vitest'
import {
  batchedRequests,
  wikidataRequests,
} from '../../../../../src/client/match/dry-run/planned-requests.ts'

const nothing = {
  toAsk: 0,
  onlyIfUndecided: 0,
  tasks: 0,
  byKind: [],
  itemsToFetch: { least: 0, most: 0 },
}

it('of a service that takes batches each task sends its own, after the manifest', () => {
  const questions = { ...nothing, toAsk: 25, onlyIfUndecided: 12, tasks: 3 }
  expect(batchedRequests(questions, 10)).toEqual({
    least: 4,
    most: 6,
    byKind: [
      { kind: 'check', least: 1, most: 1 },
      { kind: 'batch', least: 3, most: 5 },
    ],
  })
})

it.each([batchedRequests, wikidataRequests])('who asks nothing sends nothing', (requests) =>
  expect(requests(nothing, 10)).toEqual({ least: 0, most: 0, byKind: [] }),
)

it('of Wikidata each search is a request, items come by fifty, and an id that is given is no search', () => {
  const questions = {
    toAsk: 40,
    onlyIfUndecided: 50,
    tasks: 8,
    byKind: [
      { kind: 'id', toAsk: 10, onlyIfUndecided: 0 },
      { kind: 'label', toAsk: 30, onlyIfUndecided: 20 },
      { kind: 'words', toAsk: 0, onlyIfUndecided: 30 },
    ] as const,
    itemsToFetch: { least: 10, most: 10 },
  }
  expect(wikidataRequests(questions, 10)).toEqual({
    least: 1 + 30 + 1,
    most: 1 + 50 + 30 + 34,
    byKind: [
      { kind: 'check', least: 1, most: 1 },
      { kind: 'label', least: 30, most: 50 },
      { kind: 'words', least: 0, most: 30 },
      // 80 full lists of ten and ten more items, and once more for their values.
      { kind: 'items', least: 1, most: 34 },
    ],
  })
})
