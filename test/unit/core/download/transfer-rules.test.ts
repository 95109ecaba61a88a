import { expect, it } from 'vitest'
import { countBytes, judgePace, startPace } from '../../../../src/core/download/body-pace.ts'
import {
  failureKind,
  isFailureReason,
  triesNextPlan,
} from '../../../../src/core/download/failure-reason.ts'
import { firstHop, nextDownloadHop } from '../../../../src/core/download/redirect-hop.ts'
import { refusesRobots } from '../../../../src/core/download/robots-tag.ts'
import { announcedSizeFault, finalSizeFault } from '../../../../src/core/download/size-verdict.ts'
import { statusVerdict } from '../../../../src/core/download/status-verdict.ts'

const rules = { maxRedirects: 10, allowDowngrade: false }
const asked = { range: false, conditional: false, retryAfter: false }

it('rule 6: relative addresses are resolved, user information and fragments dropped', () => {
  const hop = firstHop('https://user:pw@files.example/a/b#c', { Accept: '*/*' })
  expect(hop?.url.href).toBe('https://files.example/a/b')
  if (hop === undefined) throw new Error('expected a hop')
  const next = nextDownloadHop(hop, '../c?x=1#y', rules)
  expect(next).toMatchObject({ headers: { accept: '*/*' } })
  expect(typeof next === 'string' ? next : next.url.href).toBe('https://files.example/c?x=1')
})

it('rule 6: a redirect from https to http is followed only where that is allowed', () => {
  const hop = firstHop('https://files.example/a', {})
  if (hop === undefined) throw new Error('expected a hop')
  expect(nextDownloadHop(hop, 'http://files.example/a', rules)).toBe('downgrade-refused')
  const allowed = { ...rules, allowDowngrade: true }
  expect(nextDownloadHop(hop, 'http://files.example/a', allowed)).toHaveProperty('url')
})

it.each([undefined, '', 'ftp://files.example/', 'http://a..b/', 'javascript:alert(1)'])(
  'rule 6: leads nowhere: %s',
  (location) => {
    const hop = firstHop('https://files.example/a', {})
    if (hop === undefined) throw new Error('expected a hop')
    const expected = location === '' ? 'redirect-loop' : 'bad-redirect'
    expect(nextDownloadHop(hop, location, rules)).toBe(expected)
  },
)

it('rule 7: what was dropped on the way stays dropped when it leads back', () => {
  const hop = firstHop('https://a.example/', { 'X-Api-Key': 'secret', Accept: 'image/*' })
  if (hop === undefined) throw new Error('expected a hop')
  const there = nextDownloadHop(hop, 'https://b.example/', rules)
  if (typeof there === 'string') throw new Error(there)
  const back = nextDownloadHop(there, 'https://a.example/2', rules)
  expect(back).toMatchObject({ headers: { accept: 'image/*' } })
  expect(back).not.toHaveProperty('headers.x-api-key')
})

it('rule 13: a resolver may say what its statuses mean', () => {
  expect(statusVerdict(403, asked)).toMatchObject({ reason: 'forbidden', as: 'permanent' })
  const statusKinds = { 403: 'transient' } as const
  expect(statusVerdict(403, { ...asked, statusKinds })).toMatchObject({ as: 'transient' })
})

it.each([
  [200, {}, 'body'],
  [203, {}, 'body'],
  [206, { range: true }, 'partial'],
  [416, { range: true }, 'range-refused'],
  [304, { conditional: true }, 'not-modified'],
  [308, {}, 'redirect'],
  [206, {}, 'failure'],
  [304, {}, 'failure'],
  [204, {}, 'failure'],
  [300, {}, 'failure'],
  [103, {}, 'failure'],
])('rule 10: %d, asked %o, is %s', (status, changes, kind) => {
  expect(statusVerdict(status, { ...asked, ...changes }).kind).toBe(kind)
})

it('rule 29: tells a body that stands still from one that drips', () => {
  const limits = { idleMs: 100, windowMs: 1_000, leastBytesPerWindow: 50 }
  const begun = startPace(0)
  expect(judgePace(begun, 99, limits).fault).toBeNull()
  expect(judgePace(begun, 100, limits).fault).toBe('stalled')
  const dripping = countBytes(begun, 49, 950)
  expect(judgePace(dripping, 1_000, limits).fault).toBe('too-slow')
  const enough = judgePace(countBytes(begun, 50, 950), 1_000, limits)
  expect(enough).toMatchObject({ fault: null, pace: { windowFromMs: 1_000, windowBytes: 0 } })
})

it('rule 17: sizes are judged before and after', () => {
  expect(announcedSizeFault(11, {}, 10, false)).toBe('too-large')
  expect(announcedSizeFault(11, { maxBytes: 20 }, 10, false)).toBeNull()
  expect(announcedSizeFault(200_000, { bytes: 5 }, 1e9, false)).toBe('size-mismatch')
  expect(announcedSizeFault(200_000, { bytes: 5 }, 1e9, true)).toBeNull()
  // Short enough to be read for what it says.
  expect(announcedSizeFault(200, { bytes: 5 }, 1e9, false)).toBeNull()
  expect(finalSizeFault(200, { bytes: 5 }, 1e9)).toBe('size-mismatch')
  expect(finalSizeFault(0, {}, 10)).toBe('empty')
  expect(finalSizeFault(0, { bytes: 0 }, 10)).toBeNull()
  expect(finalSizeFault(4, { minBytes: 5 }, 10)).toBe('too-small')
})

it('rule 32: a host speaks to all robots, to us, or to others', () => {
  expect(refusesRobots({ 'x-robots-tag': 'noarchive, noindex' })).toBe(true)
  expect(refusesRobots({ 'x-robots-tag': ['Record-Linker: noai'] })).toBe(true)
  expect(refusesRobots({ 'x-robots-tag': 'otherbot: noindex' })).toBe(false)
  expect(refusesRobots({})).toBe(false)
})

it('each reason says what the caller does', () => {
  expect(isFailureReason('wrong-type')).toBe(true)
  expect(isFailureReason('toString')).toBe(false)
  expect(failureKind('disk-full')).toBe('disk')
  expect(triesNextPlan('not-found')).toBe(true)
  expect(triesNextPlan('throttled')).toBe(false)
})
