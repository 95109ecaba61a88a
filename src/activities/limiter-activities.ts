import type { LimiterStateActivities } from '../core/limiter/saved-state.ts'
import type { Db } from '../db/connect.ts'
import { loadDomainLimit, saveDomainLimit } from '../db/domain-limits.repo.ts'
import { withFailures } from './to-failure.ts'

/** What limiter workflows keep in Postgres between two lives. */
export function createLimiterActivities({ db }: { readonly db: Db }): LimiterStateActivities {
  return {
    saveLimiterState: (saved) => withFailures(() => saveDomainLimit(db, saved)),
    loadLimiterState: (domain) => withFailures(() => loadDomainLimit(db, domain)),
  }
}
