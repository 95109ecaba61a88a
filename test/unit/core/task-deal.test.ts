import { describe, expect, it } from 'vitest'
import { taskDealer } from '../../../src/core/task-deal.ts'

const deal = (first: number, size: number, questions: readonly number[]) =>
  questions.map(taskDealer(first, () => size))

describe('tasks', () => {
  it('get so many questions each, in order', () => {
    expect(deal(1, 2, [10, 11, 12, 13, 14])).toEqual([1, 1, 2, 2, 3])
  })
  it('are not split between records that ask the same', () => {
    expect(deal(7, 2, [10, 10, 10, 11, 11, 12])).toEqual([7, 7, 7, 7, 7, 8])
  })
  it('may grow from one to the next', () => {
    expect([10, 11, 12, 13, 14].map(taskDealer(3, (nth) => nth + 1))).toEqual([3, 4, 4, 5, 5])
  })
  it('of one question each are one per question', () => {
    expect(deal(4, 1, [3, 2, 1])).toEqual([4, 5, 6])
  })
})
