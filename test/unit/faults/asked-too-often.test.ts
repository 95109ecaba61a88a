import { describe, expect, it } from 'vitest'
import {
  askedTooOften,
  type Disturbance,
  FELT_FOR_MS,
} from '../../faults/seeded/asked-too-often.ts'
import type { Ask } from '../../faults/seeded/origin-entry.ts'

const ask = (atMs: number, outcome: Ask['outcome'] = 'answered', question = 'A'): Ask => ({
  question,
  atMs,
  outcome,
})
const death = (fromMs: number, untilMs = fromMs): Disturbance => ({ what: 'kill', fromMs, untilMs })

describe('a question', () => {
  it('may be asked once, and again only when the origin turned it down', () => {
    expect(askedTooOften([ask(0), ask(0, 'answered', 'B')], [])).toEqual([])
    expect(askedTooOften([ask(0, 'refused'), ask(5, 'refused'), ask(9)], [])).toEqual([])
    expect(askedTooOften([ask(0), ask(5)], [])).toHaveLength(1)
    expect(askedTooOften([ask(0, 'lost'), ask(5)], [])).toHaveLength(1)
  })

  it('may be asked once more for each fault between, not for those before or after', () => {
    expect(askedTooOften([ask(0), ask(100)], [death(50)])).toEqual([])
    expect(askedTooOften([ask(0), ask(100)], [death(101)])).toHaveLength(1)
    const late = FELT_FOR_MS + 1
    expect(askedTooOften([ask(late), ask(late + 9)], [death(0)])).toHaveLength(1)
    expect(askedTooOften([ask(late), ask(late + 9)], [death(0, 1)])).toEqual([])
    expect(askedTooOften([ask(0), ask(9), ask(100)], [death(5)])).toHaveLength(1)
    expect(askedTooOften([ask(0), ask(9), ask(100)], [death(5), death(50)])).toEqual([])
  })

  it('is not excused by two faults before, when there is none for its second repeat', () => {
    const faults = [death(1), death(2)]
    expect(askedTooOften([ask(0), ask(30_000), ask(60_000)], faults)).toHaveLength(1)
  })
})
