/** Thresholds: tried, applied, taken back. */
import type { Context, Hono } from 'hono'
import type { DecisionThresholds } from '../../core/project-settings.ts'
import { listRevisions, type Project } from '../../db/projects.repo.ts'
import {
  type AppliedSettings,
  applyThresholds,
  returnToRevision,
  reviewAboveMatch,
} from '../apply-settings.ts'
import { page, projectOf } from '../draw-page.ts'
import { type Problem, ProblemError } from '../problem.ts'
import { type Fields, fieldsOf, readFields } from '../read-fields.ts'
import { runPage } from '../start-run.ts'
import { tryThresholds } from '../try-thresholds.ts'
import type { WebContext } from '../web-context.ts'
import { PreviewPart, ThresholdsPage, type ThresholdsView } from './thresholds-page.tsx'

const REVISIONS_SHOWN = 10
const MOST_REVISIONS = 1_000_000_000

export function mountThresholds(app: Hono, context: WebContext): void {
  const { db, scoreBars } = context

  app.get('/p/:project/thresholds', async (c) => {
    const project = await projectOf(c, context)
    const asked = thresholdsIn(fieldsOf(c.req.query()), project)
    // Told on the page, where it is mended; what holds now is shown meanwhile.
    const isPossible = asked.review <= asked.match
    const view = await viewOf(project, asked, isPossible ? null : reviewAboveMatch(asked).problem)
    return c.req.query('part') === 'preview'
      ? page(c, <PreviewPart {...view} />, false)
      : page(c, <ThresholdsPage {...view} />, true, isPossible ? 200 : 422)
  })

  app.post('/p/:project/thresholds', async (c) => {
    const project = await projectOf(c, context)
    const asked = thresholdsIn(await readFields(c), project)
    return applied(c, project, asked, () => applyThresholds(context, project, asked))
  })

  app.post('/p/:project/restore', async (c) => {
    const project = await projectOf(c, context)
    const revision = (await readFields(c)).number('revision', 1, MOST_REVISIONS)
    const { thresholds } = project.settings
    return applied(c, project, thresholds, () => returnToRevision(context, project, revision))
  })

  async function applied(
    c: Context,
    project: Project,
    asked: DecisionThresholds,
    apply: () => Promise<AppliedSettings>,
  ): Promise<Response> {
    try {
      const { temporalRunId } = await apply()
      return c.redirect(runPage(project.id, temporalRunId), 303)
    } catch (error) {
      const status = error instanceof ProblemError ? error.problem.status : 0
      if (!(error instanceof ProblemError) || (status !== 409 && status !== 422)) throw error
      const view = await viewOf(project, asked, error.problem)
      return page(c, <ThresholdsPage {...view} />, true, status)
    }
  }

  async function viewOf(
    project: Project,
    thresholds: DecisionThresholds,
    problem: Problem | null,
  ): Promise<ThresholdsView> {
    const isPossible = thresholds.review <= thresholds.match
    const tried = isPossible ? thresholds : project.settings.thresholds
    const [bars, preview, revisions] = await Promise.all([
      scoreBars.of(project),
      tryThresholds(context, project, tried),
      listRevisions(db, project.id, REVISIONS_SHOWN),
    ])
    return { project, thresholds, bars, preview, revisions, problem }
  }
}

function thresholdsIn(fields: Fields, { settings }: Project): DecisionThresholds {
  const of = (name: keyof DecisionThresholds) =>
    fields.text(name) === '' ? settings.thresholds[name] : fields.number(name, 0, 100)
  return { match: of('match'), review: of('review'), lead: of('lead') }
}
