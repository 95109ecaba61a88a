import { expect, it, vi } from 'vitest'
import { followWorkflow, type Progress } from '../../../../src/client/match/follow-workflow.ts'
import type { MatchContext } from '../../../../src/client/match/match-context.ts'

/** Servers of somebody else: nothing is kept running for them. */
const config = { temporalAddress: '127.0.0.1:1', databaseUrl: 'postgres://127.0.0.1:1/x' }
const context = { config } as unknown as MatchContext
const unending = { result: () => new Promise<never>(() => undefined) }

it('ends as paused when only a person can let it go on', async () => {
  const progress: Progress = { text: 'PAUSED', pausedReason: 'credentials_missing: no secret' }
  expect(await followWorkflow(context, unending, async () => progress)).toBe('paused')
})

it('stays with a pause that a person asked for, who will let it go on', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const looked: string[] = []
  const followed = followWorkflow(context, unending, async () => {
    looked.push('look')
    return { text: 'PAUSED: by user', pausedReason: 'by user' }
  })
  const first = await Promise.race([
    followed,
    new Promise((resolve) => setTimeout(() => resolve('still there'), 2_500)),
  ])
  process.emit('SIGINT')
  vi.restoreAllMocks()
  expect(first).toBe('still there')
  expect(looked.length).toBeGreaterThan(1)
  expect(await followed).toBe('left')
})
