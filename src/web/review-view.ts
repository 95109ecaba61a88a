/** Which record of a queue a review page shows, and what stands around it. */
import { countEntries, entryPage, type EntryPageRequest } from '../db/entry-pages.repo.ts'
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
  { db }: WebContext,
  project: Project,
  query: PageQuery,
  reviewer: string | null,
): Promise<ReviewView> {
  const look = { blind: query.blind === '1', all: query.all === '1' }
  const counts =
    reviewer === null ? { today: 0, skipped: 0 } : await reviewerCounts(db, project.id, reviewer)
  const queue = queueOf(project, query, reviewer)
  const isPart = query.part === 'card'
  const left = isPart ? null : await countEntries(db, queue, MOST_COUNTED)
  const view = { project, query, reviewer, left, ...counts }
  if (query.entry !== undefined) {
    const card = await reviewCard(db, project, query.entry, look)
    return { ...view, card, place: '' }
  }
  const [found] = await entryPage(db, {
    ...queue,
    unlike: query.unlike,
    order: query.order ?? 'doubt',
    after: placeIn(query),
    backwards: query.before !== undefined,
    limit: 1,
  })
  if (found === undefined) return { ...view, card: null, place: '' }
  const card = await reviewCard(db, project, found.externalId, look)
  return { ...view, card, place: cursorText(found.key) }
}

/** Without a choice of states: what needs review. What is judged is no longer in the queue, unless it is asked for. */
function queueOf(
  project: Project,
  query: PageQuery,
  reviewer: string | null,
): Omit<EntryPageRequest, 'order' | 'after' | 'limit'> {
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
