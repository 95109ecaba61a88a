import { expect, test } from 'vitest'
import type { Arrival } from '../../../../bench/origin/loopback-origin.ts'
import { askedAgain, questionsOf } from '../../../../bench/origin/questions.ts'

function arrival(query: string, changes: Partial<Arrival> & { answered?: boolean } = {}): Arrival {
  const { answered = true, ...rest } = changes
  const request = {
    atMs: 0,
    method: 'POST',
    path: '/reconcile?x=1',
    headers: {},
    body: '',
    queries: { q0: { query } },
    aborted: false,
    answered,
  }
  return { atMs: 0, worker: 'a', status: 200, request, ...rest }
}

test('a question is its text at its address', () => {
  expect(questionsOf(arrival('Lidl'))).toEqual(['/reconcile Lidl'])
})

test('asked again is what came after its answer had left', () => {
  expect(askedAgain([arrival('Lidl'), arrival('Ikea')])).toEqual([])
  expect(askedAgain([arrival('Lidl'), arrival('Lidl')])).toEqual(['/reconcile Lidl'])
})

test('a refusal, an answer cut short and one that died with its process do not count', () => {
  expect(askedAgain([arrival('Lidl', { status: 429 }), arrival('Lidl')])).toEqual([])
  expect(askedAgain([arrival('Lidl', { answered: false }), arrival('Lidl')])).toEqual([])
  const died = [arrival('Lidl', { worker: 'dead' }), arrival('Lidl')]
  expect(askedAgain(died, ({ worker }) => worker === 'dead')).toEqual([])
})
