import { describe, expect, inject, it } from 'vitest'
import { keptHistories, replay, workflowTypeOf } from '../../support/recorded-histories.ts'
import { recomputedAnswers, recordedAnswers } from '../../support/update-answers.ts'

const histories = await keptHistories()

describe('case 19: today’s workflow code does what these recorded executions did', () => {
  it.each(histories.map((recorded) => [recorded.name, recorded] as const))(
    '%s',
    async (_, recorded) => {
      await expect(replay(inject('workflowBundlePath'), recorded)).resolves.toBeUndefined()
    },
  )

  it('covers every workflow that can be started', async () => {
    const names = Object.keys(await import('../../../src/workflows/index.ts'))
    expect(names.length).toBeGreaterThan(10)
    expect([...new Set(histories.map(workflowTypeOf))].toSorted()).toEqual(names.toSorted())
  })

  it('has continue-as-new, pause and cancel of those that can do so', () => {
    expect(histories.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'domain-limiter',
        'extend-project-cancelled',
        'extend-project-completed',
        'extract-content-type-chained',
        'extract-content-type-numbered',
        'extract-content-type-paused',
        'extract-source-cancelled',
        'extract-source-completed',
        'extract-source-paused',
        'match-project-cancelled',
        'match-project-completed',
        'match-project-continued-1',
        'match-project-continued-2',
        'match-project-late-cancel',
        'match-project-paused',
        'match-project-shards',
        'match-project-shards-cancelled',
        'match-shard',
        'match-shard-cancelled',
        'match-shard-rest',
        'match-task',
        'match-task-asking',
        'match-task-asking-paused',
        'match-task-paused',
        'match-task-quick',
        'recheck-project',
        'suggest-properties',
        'suggest-types',
      ]),
    )
  })

  it('and its limiter grants the very same leases', async () => {
    const recorded = histories.find(({ name }) => name === 'domain-limiter')
    if (recorded === undefined) throw new Error('no history of a domain limiter')
    const then = recordedAnswers(recorded)
    const granted = Object.values(then).filter((answer) => isGrant(answer))
    expect(granted.length).toBeGreaterThan(1)
    expect(await recomputedAnswers(recorded)).toMatchObject(then)
  })
})

function isGrant(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'leaseId' in answer
}
