/** X-Robots-Tag, for those who want to honour it. Pure. */
import { headerText, type ResponseHeaders } from '../retry-after.ts'

const refusals = new Set(['noai', 'noimageai', 'noindex', 'none'])

/** True when the host asks all robots, or us by name, not to take the file. */
export function refusesRobots(headers: ResponseHeaders): boolean {
  const rules = (headerText(headers, 'x-robots-tag') ?? '').toLowerCase().split(',')
  return rules.some((rule) => {
    const [before = '', after] = rule.split(':')
    if (after === undefined) return refusals.has(before.trim())
    return before.trim() === 'record-linker' && refusals.has(after.trim())
  })
}
