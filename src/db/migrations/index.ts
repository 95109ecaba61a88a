import type { Migration } from 'kysely'
import * as createTables from './0001-create-tables.ts'
import * as itemValues from './0004-item-values.ts'
import * as answerAge from './0006-answer-age.ts'
import * as decisionsRemembered from './0007-decisions-remembered.ts'
import * as itemFacts from './0008-item-facts.ts'
import * as cancelRequested from './0009-cancel-requested.ts'
import * as imageChecks from './0010-image-checks.ts'
import * as control from './0011-control.ts'
import * as rechecks from './0012-rechecks.ts'
import * as largeRuns from './0013-large-runs.ts'
import * as extractions from './0020-extractions.ts'
import * as downloads from './0021-downloads.ts'
import * as blobs from './0022-blobs.ts'
import * as repeatedPages from './0023-repeated-pages.ts'
import * as downloadLanes from './0024-download-lanes.ts'
import * as reviewActs from './0030-review-acts.ts'
import * as startRequests from './0031-start-requests.ts'
import * as quickPages from './0032-quick-pages.ts'
import * as itemSearches from './0035-item-searches.ts'
import * as itemTypes from './0040-item-types.ts'
import * as pauseMoments from './0041-pause-moments.ts'
import * as recordTally from './0042-record-tally.ts'
import * as recountGivesWay from './0043-recount-gives-way.ts'

/** Every migration, in order of its name. A static map: a stale compiled file can never run. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-create-tables': createTables,
  '0004-item-values': itemValues,
  '0006-answer-age': answerAge,
  '0007-decisions-remembered': decisionsRemembered,
  '0008-item-facts': itemFacts,
  '0009-cancel-requested': cancelRequested,
  '0010-image-checks': imageChecks,
  '0011-control': control,
  '0012-rechecks': rechecks,
  '0013-large-runs': largeRuns,
  '0020-extractions': extractions,
  '0021-downloads': downloads,
  '0022-blobs': blobs,
  '0023-repeated-pages': repeatedPages,
  '0024-download-lanes': downloadLanes,
  '0030-review-acts': reviewActs,
  '0031-start-requests': startRequests,
  '0032-quick-pages': quickPages,
  '0035-item-searches': itemSearches,
  '0040-item-types': itemTypes,
  '0041-pause-moments': pauseMoments,
  '0042-record-tally': recordTally,
  '0043-recount-gives-way': recountGivesWay,
}
