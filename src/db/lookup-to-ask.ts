/**
 * Which lookups a run asks, as SQL on lookup `l` and run `r`: those without an answer, and those whose answer is from
 * before the run's `refresh_before`. An old answer stays in use until a new one has come: a renewal that failed for
 * good leaves it as it is and is not tried again by runs that had begun by then.
 */
import { sql } from 'kysely'

export const isToRenew = sql<boolean>`coalesce(
  l.status = 'answered' and l.answered_at < r.refresh_before
  and (l.refresh_failed_at is null or l.refresh_failed_at < r.started_at), false)`

export const isToAsk = sql<boolean>`(l.status = 'missing' or ${isToRenew})`
