import { expect, it } from 'vitest'
import { reportData, type DomainReport } from '../../../../src/client/limits/domain-report.ts'
import { changeText } from '../../../../src/client/limits/set-policy.ts'
import { reportText } from '../../../../src/client/limits/show-domain.ts'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { mergePolicy, policySources } from '../../../../src/core/limiter/policy-layers.ts'
import { sending } from './figures.ts'

const layers = [{ source: 'limits set', override: { maxRps: 5 } }]
const shipped = defaultPolicy('example.org')
const report: DomainReport = {
  domain: 'example.org',
  limiter: 'running',
  snapshot: sending,
  ageMs: 0,
  pausedBecause: null,
  policy: mergePolicy(shipped, layers),
  sources: policySources('example.org', layers),
  isKnown: true,
}

it('shows the figures of a domain and where each value of its policy is from', () => {
  const text = reportText(report, 0)
  expect(text).toMatch(/^example\.org\n {2}figures {5}live\n {2}rate {8}3\.33\/s, adaptive: hold\n/)
  expect(text).toContain('2 of 4, 12 waiting')
  expect(text).toContain('31 ms, 95 % within 123 ms')
  expect(text).toContain('4000 sent, 2 refused (0.5 per 1000), 5 retries')
  expect(text).toMatch(/^maxRps +5 +limits set$/m)
  expect(text).toMatch(/^costPerSecond +none +shipped$/m)
})

it('says so when a domain was never asked', () => {
  const never = { ...report, limiter: 'not_running', snapshot: null, ageMs: null } as const
  expect(reportText(never, 0)).toContain('none: it was never asked')
  const paused = { ...never, pausedBecause: 'lunch' }
  expect(reportText(paused, 0)).toMatch(/paused +lunch/)
  expect(reportData(paused)).toMatchObject({ live: false, ageMs: null, pausedBecause: 'lunch' })
})

it('for programs is the whole snapshot with the policy beside it', () => {
  expect(reportData(report)).toEqual({
    ...sending,
    live: true,
    ageMs: 0,
    policy: report.policy,
    policySources: report.sources,
  })
})

it('a change is told field by field, what had to give way included', () => {
  expect(
    changeText(shipped, mergePolicy(shipped, [{ source: '', override: { maxRps: 0.5 } }])),
  ).toBe('initialRps 1 → 0.5, maxRps 20 → 0.5.')
  expect(changeText(shipped, shipped)).toBe('as it was.')
})
