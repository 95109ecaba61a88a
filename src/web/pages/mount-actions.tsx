/** What forms ask for. Each answers with a way on, or, to the script, with JSON. */
import type { Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { askToCancel, pauseMatch, resumeMatch } from '../../client/match/control-match.ts'
import { ensureSampleProject, SAMPLE_PROJECT_ID } from '../../client/sample-project.ts'
import { drawAudit } from '../../db/audits.repo.ts'
import { acceptByRule } from '../../db/judgment-acts.repo.ts'
import { firstRecordOf, lastAct } from '../../db/reviewer-counts.repo.ts'
import { skipEntry, unskipEntries } from '../../db/review-judgments.repo.ts'
import { otherCount } from '../api/act-routes.ts'
import { nothingMatched } from '../api/audit-routes.ts'
import { pageVerdicts } from '../api/page-verdicts.ts'
import { page, projectOf } from '../draw-page.ts'
import { type GuardOptions, isSameToken, TOKEN_COOKIE } from '../guard/request-guard.ts'
import { judge, undo } from '../judge.ts'
import { readPageQuery, viewQuery } from '../page-query.ts'
import { ProblemError } from '../problem.ts'
import { type Fields, ownPath, readFields } from '../read-fields.ts'
import { keepReviewer, reviewerOf } from '../reviewer-cookie.ts'
import { runPage, startRun } from '../start-run.ts'
import { matchContext, type WebContext } from '../web-context.ts'
import { ConflictPage } from './conflict-page.tsx'
import { LoginPage } from './login-page.tsx'
import { queryText } from '../query-text.ts'
import { plural } from '../parts/words.ts'

const MOST_DRAWN = 10_000
const MOST_ID = Number.MAX_SAFE_INTEGER

export function mountActions(app: Hono, context: WebContext, { token }: GuardOptions): void {
  const { db } = context

  app.get('/login', (c) => page(c, <LoginPage wrong={false} />))
  app.post('/login', async (c) => {
    const given = (await readFields(c)).text('token').trim()
    if (token !== null && !isSameToken(given, token)) {
      return page(c, <LoginPage wrong />, true, 401)
    }
    setCookie(c, TOKEN_COOKIE, given, { path: '/', httpOnly: true, sameSite: 'Strict' })
    return c.redirect('/', 303)
  })
  app.post('/reviewer', async (c) => {
    const fields = await readFields(c)
    keepReviewer(c, fields.text('name'))
    return c.redirect(ownPath(fields.text('back')), 303)
  })
  app.post('/sample', async (c) => {
    await ensureSampleProject(db)
    return c.redirect(`/p/${SAMPLE_PROJECT_ID}`, 303)
  })

  for (const verb of ['start', 'pause', 'resume', 'cancel', 'retry'] as const) {
    app.post(`/p/:project/${verb}`, async (c) => {
      const { id } = await projectOf(c, context)
      if (verb === 'start') {
        const fields = await readFields(c)
        const size = fields.text('sample') === '' ? 0 : fields.number('sample', 1, MOST_DRAWN)
        const options = size === 0 ? {} : { sample: { size: Math.trunc(size), seed: newSeed() } }
        const started = await startRun(context, { projectId: id, options, key: null })
        return c.redirect(runPage(id, started.temporalRunId), 303)
      } else if (verb === 'retry') {
        const code = (await readFields(c)).text('code')
        const started = await startRun(context, {
          projectId: id,
          options: { retryFailed: true },
          pick: code === '' ? undefined : { code: [code] },
          key: null,
        })
        return c.redirect(runPage(id, started.temporalRunId), 303)
      } else {
        const match = await matchContext(context)
        const act = { pause: pauseMatch, resume: resumeMatch, cancel: askToCancel }[verb]
        await act(match, id)
      }
      return c.redirect(`/p/${id}`, 303)
    })
  }

  app.post('/p/:project/judge', async (c) => {
    const project = await projectOf(c, context)
    const fields = await readFields(c)
    const by = reviewerIn(c)
    const entry = fields.text('entry')
    const base = `/p/${project.id}/review`
    const query = viewOf(fields)
    const place = fields.text('place')
    const next = (more: Readonly<Record<string, string>>) =>
      place === ''
        ? `/p/${project.id}/entry?${queryText({ entry, ...more })}`
        : `${base}?${viewQuery(query, { from: place, ...more })}`
    const [word = '', qid = ''] = fields.text('say').split(' ')
    const scope = fields.text('scope') === 'one' ? 'one' : 'equal'
    if (word === 'skip') {
      const rows = await skipEntry(db, project.id, { externalId: entry, by, scope })
      if (rows === 0) throw unknownEntry(entry)
      return answer(c, next({ said: `${entry}${ofRows(rows)}: left for later.` }), {
        skipped: entry,
        rows,
      })
    }
    const verdict = word === 'item' ? 'match' : pageVerdicts.find((one) => one === word)
    if (verdict === undefined) {
      throw new ProblemError(400, {
        code: 'invalid_request',
        detail: 'It is not said what the record is; expected one of the buttons.',
      })
    }
    const note = fields.text('note').trim()
    const item = word === 'item' ? fields.text('item') : qid
    try {
      const { actId, rows } = await judge(db, project, {
        externalId: entry,
        verdict,
        qid: verdict === 'match' ? item : null,
        note: note === '' ? null : note,
        by,
        way: query.audit !== undefined ? 'audit' : query.blind === '1' ? 'blind' : 'review',
        seen: fields.text('seen') === '' ? null : fields.text('seen'),
        scope,
      })
      const told = verdict === 'match' ? item : verdict.replaceAll('_', ' ')
      const done = actId === null ? {} : { done: String(actId) }
      const said = `${entry}${ofRows(rows)}: ${told}.`
      return answer(c, next({ said, ...done }), { act: actId, entry, rows })
    } catch (error) {
      if (isNoItem(error) && word === 'item' && !wantsJson(c)) {
        const carried = ['entry', 'seen', 'place', 'view', 'note', 'scope'].map((name) => [
          name,
          fields.text(name),
        ])
        const search = queryText({ item, ...Object.fromEntries(carried) })
        return c.redirect(`/p/${project.id}/search?${search}`, 303)
      }
      const isConflict = error instanceof ProblemError && error.problem.status === 409
      if (!isConflict || wantsJson(c)) throw error
      const { problem } = error
      return page(
        c,
        <ConflictPage {...{ project, entry, problem }} reviewer={by} next={next({})} />,
        true,
        409,
      )
    }
  })

  app.post('/p/:project/undo', async (c) => {
    const project = await projectOf(c, context)
    const fields = await readFields(c)
    const by = reviewerIn(c)
    const query = viewOf(fields)
    const last =
      fields.text('act') === ''
        ? await lastAct(db, project.id, by)
        : { actId: fields.number('act', 1, MOST_ID) }
    if (last === undefined) {
      throw new ProblemError(409, {
        code: 'nothing_to_undo',
        detail: `${by} has done nothing here that could be undone.`,
      })
    }
    const { judgments, left } = await undo(db, project, { actId: last.actId, by })
    const first = await firstRecordOf(db, last.actId)
    const kept = left === 0 ? '' : `, ${left} judged by others since stay`
    const said = `Taken back: ${judgments}${kept}.`
    const isOfRecord = first !== undefined && first.way !== 'bulk'
    const to =
      isOfRecord && fields.text('back') !== 'project'
        ? `/p/${project.id}/review?${viewQuery(query, { entry: first.externalId, said })}`
        : `/p/${project.id}#acts`
    const entry = first?.externalId ?? null
    return answer(c, to, { undone: last.actId, judgments, left, entry })
  })

  app.post('/p/:project/unskip', async (c) => {
    const project = await projectOf(c, context)
    const fields = await readFields(c)
    const records = await unskipEntries(db, project.id, reviewerIn(c))
    return answer(c, `/p/${project.id}/review?${viewQuery(viewOf(fields))}`, { records })
  })

  app.post('/p/:project/bulk', async (c) => {
    const project = await projectOf(c, context)
    const fields = await readFields(c)
    const expected = fields.number('expected', 0, MOST_ID)
    const outcome = await acceptByRule(db, project.id, {
      rule: {
        minScore: fields.number('min_score', 0, 100),
        minMargin: fields.number('min_margin', 0, 100),
        single: fields.text('single') === 'yes',
      },
      by: reviewerIn(c),
      expected,
    })
    if (outcome.kind === 'other_count') throw otherCount(expected, outcome.count)
    return answer(c, `/p/${project.id}#acts`, { act: outcome.actId, judgments: expected })
  })

  app.post('/p/:project/audit', async (c) => {
    const project = await projectOf(c, context)
    const fields = await readFields(c)
    const size = Math.trunc(fields.number('size', 1, MOST_DRAWN))
    const by = reviewerOf(c) ?? 'somebody'
    const audit = await drawAudit(db, project.id, { size, seed: newSeed(), by })
    if (audit === undefined) throw nothingMatched(project.id)
    return answer(c, `/p/${project.id}/review?audit=${audit}&order=file`, { audit })
  })
}

/** Another draw each time; which one is kept with it. */
function newSeed(): number {
  return Math.trunc(Date.now() / 1_000) % 2_147_483_647
}

/** A name stands in the field: Enter there, without the script, searches for it. */
function isNoItem(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'invalid_item'
}

/** The script wants to know; a browser wants to go on. */
function answer(c: Context, to: string, data: Readonly<Record<string, unknown>>): Response {
  return wantsJson(c) ? c.json({ ...data, to }) : c.redirect(to, 303)
}

function wantsJson(c: Context): boolean {
  return (c.req.header('Accept') ?? '').startsWith('application/json')
}

/** ` and 36 equal rows`; '' for one alone. */
function ofRows(rows: number): string {
  return rows < 2 ? '' : ` and ${plural(rows - 1, 'equal row')}`
}

function viewOf(fields: Fields) {
  return readPageQuery(new URLSearchParams(fields.text('view')))
}

/** @throws ProblemError `no_reviewer` */
function reviewerIn(c: Context): string {
  const name = reviewerOf(c)
  if (name !== null) return name
  throw new ProblemError(409, {
    code: 'no_reviewer',
    detail: 'Nobody has said who judges in this browser.',
    hint: 'Give your name on the review page.',
  })
}

function unknownEntry(entry: string): ProblemError {
  return new ProblemError(404, {
    code: 'unknown_entry',
    detail: `There is no record ${JSON.stringify(entry)} here.`,
  })
}
