import { describe, expect, it } from 'vitest'
import { manifestAnswer } from '../../../support/fake-reconciliation-service.ts'
import { allFound, askingScene, finding, lookup, numbered, summary } from './asking-scene.ts'

it('case 10: names of one 32-bit hash each get their own answer', async () => {
  const { ask } = await askingScene(finding())
  const mixtures = (pairs: number): readonly string[] =>
    pairs === 0 ? [''] : mixtures(pairs - 1).flatMap((text) => [`${text}Aa`, `${text}BB`])
  const names = mixtures(8)
  const { results } = await ask(
    names.map((name, id) => lookup(id, name)),
    { batchSize: 50 },
  )
  const found = results.map((result) =>
    result.status === 'answered' ? result.list.candidates.map(({ id }) => id) : [],
  )
  expect(found).toEqual(names.map((name) => [name]))
})

describe('case 19: batch sizes', () => {
  it('case 19: twelve rows with a manifest of five go as 5 + 5 + 2', async () => {
    const { client, ask, batches, service } = await askingScene((request) =>
      request.queries ? finding()(request) : manifestAnswer(request, { batchSize: 5 }),
    )
    const manifest = await client.manifest(new AbortController().signal)
    expect(manifest).toMatchObject({ batchSize: 5, endpoint: service.url })
    await ask(numbered(12), { batchSize: 50 })
    expect(batches().map((batch) => batch.length)).toEqual([5, 5, 2])
  })

  it.each([413, 414, 502])(
    'case 19: %d for ten is halved, and the working size remembered',
    async (status) => {
      const handler = finding((names) => (names.length > 5 ? { status } : undefined))
      const { ask, batches, delivered } = await askingScene(handler)
      const { results, learnedBatchSize } = await ask(numbered(20))
      expect(summary(results)).toEqual(allFound(20))
      expect(batches().map((batch) => batch.length)).toEqual([10, 5, 5, 5, 5])
      expect(learnedBatchSize).toBe(5)
      expect(delivered.every((result) => result.status === 'answered')).toBe(true)
      await ask(numbered(10))
      expect(
        batches()
          .slice(5)
          .map((batch) => batch.length),
      ).toEqual([5, 5])

      const later = await askingScene(handler, { learnedBatchSize: 5 })
      await later.ask(numbered(10))
      expect(later.batches().map((batch) => batch.length)).toEqual([5, 5])
    },
  )

  it('case 19: one lookup that is too large by itself is permanent', async () => {
    const { ask } = await askingScene(
      finding((names) => (names.includes('n1') ? { status: 413 } : undefined)),
    )
    const { results } = await ask(numbered(3))
    expect(summary(results)).toEqual(['0 found', '1 failed permanent too_large', '2 found'])
  })

  it('case 19: an answer longer than allowed is halved as well', async () => {
    const { ask } = await askingScene(
      finding((names) => (names.length > 1 ? { body: 'x'.repeat(2_000) } : undefined)),
      { maxBodyBytes: 1_000 },
    )
    expect(summary((await ask(numbered(4))).results)).toEqual(allFound(4))
  })

  it('case 19: being too large together costs nobody an attempt, even when cut short', async () => {
    const { service, fail, delivered } = await askingScene()
    service.respondOnce({ status: 413 }, { status: 429 })
    await fail(numbered(10))
    expect(delivered).toEqual([])
  })
})
