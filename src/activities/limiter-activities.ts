import { checkOverride, problemText } from '../core/limiter/policy-bounds.ts'
import { mergePolicy, SET_BY_COMMAND } from '../core/limiter/policy-layers.ts'
import type { LimiterStateActivities } from '../core/limiter/saved-state.ts'
import type { Db } from '../db/connect.ts'
import { loadDomainLimit, saveDomainLimit } from '../db/domain-limits.repo.ts'
import { withFailures } from './to-failure.ts'

export interface LimiterActivityDeps {
  readonly db: Db
  readonly log?: { warn(details: object, message: string): void }
}

/** What limiter workflows keep in Postgres between two lives. */
export function createLimiterActivities({ db, log }: LimiterActivityDeps): LimiterStateActivities {
  return {
    saveLimiterState: (saved) =>
      withFailures(() => saveDomainLimit(db, saved, saved.state.pausedBecause)),
    loadLimiterState: (domain, policy) =>
      withFailures(async () => {
        const kept = await loadDomainLimit(db, domain)
        const { good, problems } = checkOverride(kept?.policy ?? {})
        if (problems.length > 0) {
          const found = problems.map(problemText)
          log?.warn({ domain, found }, 'Stored limits are not understood and left out.')
        }
        const pausedBecause = kept?.pausedBecause ?? null
        return {
          // A pause may have begun or ended since the state was saved.
          state: kept?.state == null ? null : { ...kept.state, pausedBecause },
          policy: mergePolicy(policy, [{ source: SET_BY_COMMAND, override: good }]),
          pausedBecause,
        }
      }),
  }
}
