import { expect, it } from 'vitest'
import { defaultPolicy } from '../../../src/core/limiter/policy.ts'
import { createInProcessPermits } from '../../../src/limiter/in-process-permits.ts'
import { VirtualClock } from './virtual-clock.ts'

const signal = new AbortController().signal

it('a program without Temporal has permits at the rate of the policy', async () => {
  const clock = new VirtualClock()
  const permits = createInProcessPermits({
    clock,
    random: () => 0.5,
    policyFor: (domain) => ({ ...defaultPolicy(domain), strategy: 'fixed', maxRps: 4 }),
  })
  const atMs: number[] = []
  const work = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) {
      const permit = await permits.acquire({ domain: 'example.org', project: '1', signal })
      atMs.push(clock.nowMs())
      permit.report({ kind: 'ok', latencyMs: 0 })
    }
  }
  void work()
  await clock.pass(10_000)
  const gaps = atMs.slice(1).map((moment, index) => moment - (atMs[index] ?? 0))
  expect(gaps).toHaveLength(9)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(251)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(249)
})

it('asks for nobody: each domain has a limiter of its own, with the shipped policy', async () => {
  const permits = createInProcessPermits()
  const domains = ['127.0.0.1:8080', 'example.org', 'example.com']
  const got = await Promise.all(
    domains.map((domain) => permits.acquire({ domain, project: '1', signal })),
  )
  expect(got.map(({ domain }) => domain)).toEqual(domains)
  for (const permit of got) permit.giveBack()
  expect(permits.snapshot().map(({ inFlight }) => inFlight)).toEqual([0, 0, 0])
  await permits.close()
})
