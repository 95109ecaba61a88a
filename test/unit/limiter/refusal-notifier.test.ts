import { expect, it } from 'vitest'
import { RefusalNotifier, type News } from '../../../src/limiter/refusal-notifier.ts'

const lease = (epoch: number) => ({ id: `x-${epoch}`, epoch })

function notifier() {
  const sent: News[] = []
  return { sent, it: new RefusalNotifier((news) => void sent.push(news)) }
}

it('the first refusal is told at once, the next after half a second, with how long ago it was', () => {
  const { sent, it: told } = notifier()
  told.add(lease(0), undefined, 1000)
  told.add(lease(1), 7000, 1100)
  expect(sent).toEqual([{ leaseId: 'x-0', epoch: 0, agoMs: 0, retryAfterMs: null }])
  expect(told.dueMs).toBe(1500)
  told.flush(1499)
  expect(sent).toHaveLength(1)
  told.flush(1500)
  expect(sent[1]).toEqual({ leaseId: 'x-1', epoch: 1, agoMs: 400, retryAfterMs: 7000 })
  expect(told.dueMs).toBeUndefined()
})

it('one that says nothing new is not told', () => {
  const { sent, it: told } = notifier()
  told.add(lease(3), 7000, 0)
  told.add(lease(3), 7000, 1000)
  told.add(lease(2), undefined, 2000)
  told.flush(9000)
  expect(sent).toHaveLength(1)
})

it('of several that wait to be told the longest wait and the newest lease count', () => {
  const { sent, it: told } = notifier()
  told.add(lease(0), undefined, 0)
  told.add(lease(1), 9000, 100)
  told.add(lease(2), undefined, 200)
  told.flush(500)
  expect(sent[1]).toEqual({ leaseId: 'x-2', epoch: 2, agoMs: 400, retryAfterMs: 9000 })
})
