/** The pages: each is read here and drawn by its file. Nothing is changed by a GET. */
import type { Context, Hono } from 'hono'
import { projectFailures } from '../../client/failures/project-failures.ts'
import { readLimits } from '../../client/limits/read-limits.ts'
import { projectDetails } from '../../client/projects/project-details.ts'
import { listAudits } from '../../db/audits.repo.ts'
import type { Db } from '../../db/connect.ts'
import { entryPage } from '../../db/entry-pages.repo.ts'
import { listActs, previewAcceptable } from '../../db/judgment-acts.repo.ts'
import { listProjects, type Project } from '../../db/projects.repo.ts'
import { findRunOfProject } from '../../db/runs.repo.ts'
import { countProject } from '../../db/run-progress.repo.ts'
import { placeOf } from '../api/entry-routes.ts'
import { withPrecision } from '../api/audit-routes.ts'
import { page, projectOf } from '../draw-page.ts'
import { filterOf } from '../entry-query.ts'
import type { GuardOptions } from '../guard/request-guard.ts'
import { pictureServer } from '../candidate-picture.ts'
import { cursorText, readCursorText } from '../page-cursor.ts'
import { readPageQuery } from '../page-query.ts'
import { ProblemError } from '../problem.ts'
import { reviewCard } from '../review-card.ts'
import { reviewView } from '../review-view.ts'
import { reviewerOf } from '../reviewer-cookie.ts'
import { type RunProgress, runProgress } from '../run-state.ts'
import { currentRun, type WebContext } from '../web-context.ts'
import { startLook } from '../start-look.ts'
import { mountActions } from './mount-actions.tsx'
import { BeginPage } from './begin-page.tsx'
import { BulkPage } from './bulk-page.tsx'
import { EntryPage } from './entry-page.tsx'
import { HomePage } from './home-page.tsx'
import { mountImport } from './mount-import.tsx'
import { mountSearch } from './mount-search.tsx'
import { mountThresholds } from './mount-thresholds.tsx'
import { ProjectPage } from './project-page.tsx'
import { ReviewCard, ReviewPage } from './review-page.tsx'

const DOMAINS_SHOWN = 20
const ENTRIES_SHOWN = 50
const ACTS_SHOWN = 10
const EXAMPLES = 10

export function mountPages(app: Hono, context: WebContext, guard: GuardOptions): void {
  const { db, stack } = context
  mountActions(app, context, guard)
  mountImport(app, context)
  mountThresholds(app, context)
  mountSearch(app, context)

  app.get('/', async (c) => {
    const projects = await Promise.all(
      (await listProjects(db)).map(async (project) => {
        const [counts, run] = await Promise.all([
          countProject(db, project.id),
          latestProgress(context, project.id),
        ])
        return { project, counts, run }
      }),
    )
    const { limits } = await readLimits(db, DOMAINS_SHOWN)
    return page(
      c,
      <HomePage
        projects={projects}
        limits={limits}
        reviewer={reviewerOf(c)}
        workflowsUrl={stack.webUiUrl}
      />,
    )
  })

  app.get('/p/:project', async (c) => {
    const project = await projectOf(c, context)
    const query = readPageQuery(new URL(c.req.url).searchParams)
    // Before the run is read: one that is there by now is found then.
    const starting = await startingOf(c, db, project.id)
    const [details, run, bars, types, failures, acts, audits, found] = await Promise.all([
      projectDetails(db, project),
      latestProgress(context, project.id),
      context.scoreBars.of(project),
      context.types.of(project),
      projectFailures(db, project.id),
      listActs(db, project.id, { by: null, limit: ACTS_SHOWN }),
      listAudits(db, project.id),
      entryPage(db, {
        ...placeOf(project),
        filter: filterOf(query),
        order: query.order ?? 'file',
        after: query.after === undefined ? null : readCursorText(query.after),
        limit: ENTRIES_SHOWN + 1,
      }),
    ])
    const entries = found.slice(0, ENTRIES_SHOWN)
    const last = entries.at(-1)
    return page(
      c,
      <ProjectPage
        {...{ project, details, run, bars, types, failures, acts, query, entries }}
        audits={audits.map(withPrecision)}
        next={found.length > ENTRIES_SHOWN && last !== undefined ? cursorText(last.key) : null}
        starting={starting}
        reviewer={reviewerOf(c)}
      />,
    )
  })

  app.get('/p/:project/begin', async (c) => {
    const project = await projectOf(c, context)
    const rejected = c.req.query('rejected') === undefined ? null : numberOf(c, 'rejected', 0, 1e9)
    const look = await startLook(context, project)
    return page(c, <BeginPage {...{ project, look, rejected }} />)
  })

  app.get('/p/:project/review', async (c) => {
    const project = await projectOf(c, context)
    const query = readPageQuery(new URL(c.req.url).searchParams)
    const view = await reviewView(context, project, query, reviewerOf(c))
    return query.part === 'card'
      ? page(c, <ReviewCard {...view} />, false)
      : page(c, <ReviewPage {...view} />)
  })

  const servePicture = pictureServer(context)
  app.get('/p/:project/picture/:item', async (c) =>
    servePicture(await projectOf(c, context), c.req.param('item')),
  )

  app.get('/p/:project/entry', async (c) => {
    const project = await projectOf(c, context)
    const query = readPageQuery(new URL(c.req.url).searchParams)
    const card = await reviewCard(db, project, query.entry ?? '', { blind: false, all: true })
    return page(c, <EntryPage {...{ project, card, query }} reviewer={reviewerOf(c)} />)
  })

  app.get('/p/:project/bulk', async (c) => {
    const project = await projectOf(c, context)
    const { thresholds } = project.settings
    const rule = {
      minScore: numberOf(c, 'min_score', thresholds.match),
      minMargin: numberOf(c, 'min_margin', thresholds.lead),
      single: c.req.query('single') === 'yes',
    }
    const seed = Math.trunc(numberOf(c, 'seed', 1, 1_000_000))
    const draw = { size: EXAMPLES, seed }
    const { count, examples: ids } = await previewAcceptable(db, project.id, rule, draw)
    const examples = await entriesByIds(context, project, ids)
    return page(
      c,
      <BulkPage {...{ project, rule, count, examples, seed }} reviewer={reviewerOf(c)} />,
    )
  })
}

/** A run that was just started and has not written its row yet. */
async function startingOf(c: Context, db: Db, projectId: number): Promise<string | null> {
  const id = c.req.query('starting') ?? ''
  if (!/^[0-9a-f-]{36}$/.test(id)) return null
  return (await findRunOfProject(db, projectId, id)) === undefined ? id : null
}

async function latestProgress(context: WebContext, projectId: number): Promise<RunProgress | null> {
  const run = await currentRun(context, projectId)
  return run === undefined ? null : runProgress(context, run)
}

async function entriesByIds({ db }: WebContext, project: Project, ids: readonly string[]) {
  if (ids.length === 0) return []
  return entryPage(db, {
    ...placeOf(project),
    filter: filterOf({ judged: null, stale: null }),
    order: 'file',
    after: null,
    ids,
    limit: ids.length,
  })
}

function numberOf(c: Context, name: string, fallback: number, most = 100): number {
  const text = c.req.query(name)
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (value >= 0 && value <= most) return value
  throw new ProblemError(400, {
    code: 'invalid_request',
    detail: `${name} is ${JSON.stringify(text)}; expected a number from 0 to ${most}.`,
  })
}
