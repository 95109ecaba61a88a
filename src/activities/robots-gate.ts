/** What hosts ask of robots, for queues that heed it: robots.txt of each origin, asked once in a while. */
import { mayFetch, type RobotRules, robotRules } from '../core/download/robots-txt.ts'
import type { AskedPage } from '../core/download/resolver.ts'
import { DownloadError } from '../http/download/download-error.ts'

/** RFC 9309, 2.4: no longer than a day. */
const KEPT_MS = 24 * 60 * 60 * 1000
/** Of so many origins, the oldest are asked again. */
const MOST_KEPT = 10_000

export interface RobotsGate {
  /**
   * @param ask reads a page of that host as every page is read, with a permit
   * @throws DownloadError `robots-refused`; what asking throws where the host cannot say, and then nobody may fetch
   */
  check(url: string, ask: (url: string) => Promise<AskedPage>): Promise<void>
}

/** One per process. @param nowMs monotonic */
export function createRobotsGate(nowMs: () => number): RobotsGate {
  const kept = new Map<string, { readonly rules: RobotRules; readonly untilMs: number }>()
  return {
    async check(url, ask) {
      const address = new URL(url)
      const { origin } = address
      let found = kept.get(origin)
      if (found === undefined || found.untilMs <= nowMs()) {
        found = { rules: await askRules(origin, ask), untilMs: nowMs() + KEPT_MS }
        kept.delete(origin)
        kept.set(origin, found)
        if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
      }
      if (mayFetch(found.rules, address)) return
      throw new DownloadError({
        reason: 'robots-refused',
        message: `The robots.txt of ${address.host} asks robots not to fetch it.`,
        hint: 'Ask its operator, or leave "robots" out of the settings of the queue.',
      })
    },
  }
}

async function askRules(
  origin: string,
  ask: (url: string) => Promise<AskedPage>,
): Promise<RobotRules> {
  try {
    return robotRules((await ask(`${origin}/robots.txt`)).text)
  } catch (error) {
    // A host that has none, or says that we may not see it, allows everything (RFC 9309, 2.3.1.3); one that is in trouble nothing.
    if (error instanceof DownloadError && hasNone.has(error.reason)) return []
    throw error
  }
}

const hasNone: ReadonlySet<string> = new Set([
  'bad-request',
  'client-error',
  'empty',
  'forbidden',
  'gone',
  'legal-reasons',
  'not-found',
  'unauthorised',
  'wrong-type',
])
