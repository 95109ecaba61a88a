import { describe, expect, it } from 'vitest'
import type { PermitRequest, Permits } from '../../../src/core/limiter/permit.ts'
import type { Pace } from '../../../src/core/pace.ts'
import { pacedPermits } from '../../../src/limiter/paced-permits.ts'

const log = { info: () => undefined, warn: () => undefined }
const signal = new AbortController().signal

function scene(paceOf: (projectId: number) => Promise<Pace | undefined>) {
  const seen: PermitRequest[] = []
  const permits: Permits = {
    acquire: (request) => {
      seen.push(request)
      return Promise.resolve({ domain: '', report: () => undefined, giveBack: () => undefined })
    },
  }
  const clock = { nowMs: 0 }
  const paced = pacedPermits({ permits, paceOf, log, nowMs: () => clock.nowMs })
  const ask = async (project: string, more: Partial<PermitRequest> = {}) => {
    await paced.acquire({ domain: 'example.org', project, signal, ...more })
    return seen.at(-1)
  }
  return { ask, clock }
}

const slow: Pace = { window: null, priority: 'low', weight: 3 }

describe('permits for a project', () => {
  it('carry its priority and weight', async () => {
    const { ask } = scene((id) => Promise.resolve(id === 7 ? slow : undefined))
    expect(await ask('project/7')).toMatchObject({ priority: 'background', weight: 3 })
    expect(await ask('project/8')).not.toHaveProperty('weight')
    expect(await ask('nobody')).not.toHaveProperty('weight')
  })

  it('keep the priority a request names itself', async () => {
    const { ask } = scene(() => Promise.resolve(slow))
    const request = await ask('project/7', { priority: 'interactive' })
    expect(request).toMatchObject({ priority: 'interactive', weight: 3 })
  })

  it('follow a change within seconds, and ask the database no more often', async () => {
    let pace = slow
    let reads = 0
    const { ask, clock } = scene(() => {
      reads += 1
      return Promise.resolve(pace)
    })
    await ask('project/7')
    pace = { ...slow, priority: 'high' }
    clock.nowMs = 1_999
    expect(await ask('project/7')).toMatchObject({ priority: 'background' })
    expect(reads).toBe(1)
    clock.nowMs = 2_000
    await ask('project/7')
    expect(await ask('project/7')).toMatchObject({ priority: 'high' })
    expect(reads).toBe(2)
  })

  it('go on with what was read last while the database is away', async () => {
    let isAway = false
    const { ask, clock } = scene(() =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(slow),
    )
    await ask('project/7')
    isAway = true
    for (const nowMs of [3_000, 6_000, 9_000]) {
      clock.nowMs = nowMs
      expect(await ask('project/7')).toMatchObject({ weight: 3 })
    }
  })
})
