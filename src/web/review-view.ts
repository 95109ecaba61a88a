/** Which record of a queue a review page shows, and what stands around it. */
import { withType } from '../db/chosen-entries.ts'
import type { Db } from '../db/connect.ts'
import { countEntries, entryPage } from '../db/entry-pages.repo.ts'
import type { EntryPageRequest } from '../db/place-query.ts'
import type { Project } from '../db/projects.repo.ts'
import { reviewerCounts } from '../db/reviewer-counts.repo.ts'
import { placeOf } from './api/entry-routes.ts'
import { filterOf } from './entry-query.ts'
import { cursorText, readCursorText } from './page-cursor.ts'
import type { PageQuery } from './page-query.ts'
import type { ReviewView } from './pages/review-page.tsx'
import { reviewCard } from './review-card.ts'
import type { WebContext } from './web-context.ts'

const MOST_COUNTED = 100_000

export async function reviewView(
  { db, types: kept }: WebContext,
  project: Project,
  query: PageQuery,
  reviewer: string | null,
): Promise<ReviewView> {
  const look = { blind: query.blind === '1', all: query.all === '1' }
  const queue = await withType(db, queueOf(project, query, reviewer))
  const isPart = query.part === 'card'
  const [counts, left, types, shown] = await Promise.all([
    reviewer === null ? { today: 0, skipped: 0 } : reviewerCounts(db, project.id, reviewer),
    isPart ? null : countEntries(db, queue, MOST_COUNTED),
    isPart ? [] : kept.of(project),
    query.entry === undefined
      ? entryInQueue(db, queue, query)
      : { externalId: query.entry, place: '' },
  ])
  const card = shown === null ? null : await reviewCard(db, project, shown.externalId, look)
  return { project, query, reviewer, left, types, ...counts, card, place: shown?.place ?? '' }
}

async function entryInQueue(
  db: Db,
  queue: EntryQueue,
  query: PageQuery,
): Promise<{ readonly externalId: string; readonly place: string } | null> {
  const [found] = await entryPage(db, {
    ...queue,
    unlike: query.unlike,
    order: query.order ?? 'doubt',
    after: placeIn(query),
    backwards: query.before !== undefined,
    limit: 1,
  })
  return found === undefined ? null : { externalId: found.externalId, place: cursorText(found.key) }
}

type EntryQueue = Omit<EntryPageRequest, 'order' | 'after' | 'limit'>

/** Without a choice of states: what needs review. What is judged is no longer in the queue, unless it is asked for. */
function queueOf(project: Project, query: PageQuery, reviewer: string | null): EntryQueue {
  const filter = filterOf(query)
  const isUsual = filter.statuses.length === 0 && query.audit === undefined
  const isAboutJudged = filter.judged !== null || filter.stale !== null
  return {
    ...placeOf(project),
    filter: {
      ...filter,
      statuses: isUsual && !isAboutJudged ? ['review'] : filter.statuses,
    },
    unskippedBy: reviewer ?? undefined,
    auditId: query.audit,
  }
}

function placeIn({ from, before }: PageQuery) {
  const text = from ?? before
  return text === undefined ? null : readCursorText(text)
}
