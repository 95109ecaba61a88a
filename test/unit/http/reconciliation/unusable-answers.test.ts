import { describe, expect, it } from 'vitest'
import {
  answerEach,
  type FakeHandler,
  htmlAnswer,
} from '../../../support/fake-reconciliation-service.ts'
import { allFound, askingScene, finding, numbered, summary } from './asking-scene.ts'

const broken: FakeHandler = (request) => {
  const { json } = answerEach(request, ({ query }) => [{ id: query }])
  const byKey = Object.entries(Object(json)).map(([key, value]) => {
    const name = request.queries?.[key]?.query
    return [key, name === 'n3' ? undefined : name === 'n7' ? {} : value]
  })
  return { json: Object.fromEntries(byKey) }
}

describe('case 15: incomplete answers', () => {
  it('case 15: eight of ten are stored, the two others asked alone once, then failed', async () => {
    const { ask, batches, attempts } = await askingScene(broken)
    const { results } = await ask(numbered(10))
    expect(summary(results)).toEqual(
      allFound(10)
        .with(3, '3 failed transient malformed_answer')
        .with(7, '7 failed transient malformed_answer'),
    )
    expect(batches().slice(1)).toEqual([['n3'], ['n7']])
    expect(attempts.map(({ kind, code }) => [kind, code])).toEqual([
      ['ok', null],
      ['transient', 'malformed_answer'],
      ['transient', 'malformed_answer'],
    ])
  })

  it('case 15: they are found when asking alone helps', async () => {
    const { service, ask } = await askingScene(finding())
    service.respondOnce(broken)
    expect(summary((await ask(numbered(10))).results)).toEqual(allFound(10))
  })

  it('case 15: a bare array for all of them is split, never taken as no match', async () => {
    const { service, ask } = await askingScene(finding())
    service.respondOnce({ json: [{ id: 'Q1' }] })
    expect(summary((await ask(numbered(4))).results)).toEqual(allFound(4))
  })

  it('warns of keys nobody asked for', async () => {
    const { ask } = await askingScene({ json: { q0: { result: [] }, q1: {}, q2: {} } })
    const { warnings } = await ask(numbered(1))
    expect(warnings).toEqual(['The answer has 2 keys nobody asked for; ignored.'])
  })
})

describe('case 16: pages instead of JSON', () => {
  it.each([
    ['200 text/html', htmlAnswer(200, 'Welcome'), 'transient', 'html_answer'],
    ['429 text/html', htmlAnswer(429, 'Too many'), 'throttled', 'too_many_requests'],
    ['403 text/html', htmlAnswer(403, 'Policy'), 'endpoint', 'forbidden'],
  ])('case 16: %s is never read as an empty answer', async (_, answer, kind, code) => {
    const { fail, delivered, service } = await askingScene(answer)
    const error = await fail(numbered(3))
    expect(error).toMatchObject({ kind, code })
    expect(error.bodyHead).toContain('<html>')
    expect(service.requests).toHaveLength(1)
    // Only the transient one is an attempt of the lookups; the others are waits of the domain.
    expect(summary(delivered)).toEqual(
      kind === 'transient' ? [0, 1, 2].map((id) => `${id} failed transient ${code}`) : [],
    )
  })
})
