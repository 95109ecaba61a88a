/** The API and the pages, without a network: `app.request` asks them in tests. */
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { growProject } from '../client/match/growing-project.ts'
import { candidateTypes } from '../db/candidate-types.repo.ts'
import { scoreHistogram } from '../db/score-histogram.repo.ts'
import { errorWithoutData } from '../errors.ts'
import { wholeText } from './draw-page.ts'
import { apiRoutes } from './api/api-routes.ts'
import { type GuardOptions, requestGuard } from './guard/request-guard.ts'
import { openApiDocument } from './openapi.ts'
import { mountAssets } from './assets.ts'
import { keepFigures } from './kept-figures.ts'
import { ProblemPage } from './pages/problem-page.tsx'
import { mountPages } from './pages/mount-pages.tsx'
import { ProblemError, problemResponse, toProblem } from './problem.ts'
import { mountRoutes } from './route.ts'
import type { WebContext } from './web-context.ts'

export interface WebAppOptions extends GuardOptions {
  readonly context: Omit<WebContext, 'weighed' | 'scoreBars' | 'types'>
  /** Of what should not happen; without what is in records. */
  readonly log: (line: string) => void
}

export function createWebApp({ context: given, log, ...guard }: WebAppOptions): Hono {
  const { db } = given
  const context: WebContext = {
    ...given,
    // Of some 160 MB each, where there are 100,000 records.
    weighed: keepFigures({
      db,
      mostProjects: 2,
      make: (project) => Promise.resolve(growProject(db, project)),
      whole: ({ ended }) => ended,
      drop: ({ stop }) => stop(),
    }),
    scoreBars: keepFigures({ db, mostProjects: 50, make: ({ id }) => scoreHistogram(db, id) }),
    // A list to choose from, and not made anew for each judgment.
    types: keepFigures({
      db,
      mostProjects: 50,
      mayBeOldMs: 60_000,
      make: ({ id }) => candidateTypes(db, id),
    }),
  }
  const app = new Hono()
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      referrerPolicy: 'same-origin',
      xFrameOptions: 'DENY',
      strictTransportSecurity: false,
    }),
  )
  app.use(requestGuard(guard))
  const document = openApiDocument(apiRoutes)
  app.get('/openapi.json', (c) => c.json(document))
  app.get('/healthz', (c) => c.json({ ok: true }))
  mountAssets(app)
  mountPages(app, context, guard)
  mountRoutes(app, apiRoutes, context)
  app.notFound((c) =>
    answerProblem(
      c.req.raw,
      new ProblemError(404, {
        code: 'not_found',
        detail: `Nothing is at ${c.req.path}.`,
        hint: 'See / for people, /openapi.json for programs.',
      }),
    ),
  )
  app.onError((error, c) => {
    const problem = toProblem(error)
    if (problem.status === 500)
      log(`${c.req.method} ${c.req.routePath}: ${errorWithoutData(error)}`)
    return answerProblem(c.req.raw, error)
  })
  return app
}

/** As a page where a person asks, else as JSON. */
function answerProblem(request: Request, error: unknown): Response | Promise<Response> {
  const problem = toProblem(error)
  const isPage = (request.headers.get('Accept') ?? '').includes('text/html')
  if (!isPage) return problemResponse(problem)
  return new Response(wholeText(<ProblemPage problem={problem} />), {
    status: problem.status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  })
}
