import type { Context } from 'hono'
import { knownProject } from '../client/known-project.ts'
import type { Project } from '../db/projects.repo.ts'
import { ProblemError } from './problem.ts'
import type { WebContext } from './web-context.ts'

/** Draws a page. @param whole false: a part of one */
export function page(
  c: Context,
  content: unknown,
  whole = true,
  status: 200 | 401 | 409 | 422 = 200,
): Response {
  const text = whole ? wholeText(content) : String(content)
  return c.html(text, status, { 'Cache-Control': 'no-store' })
}

/** The text of a whole page. */
export function wholeText(content: unknown): string {
  return `<!doctype html>${String(content)}`
}

/** @throws UsageError `unknown_project` */
export async function projectOf(c: Context, { db }: WebContext): Promise<Project> {
  const id = c.req.param('project') ?? ''
  if (!/^[1-9]\d{0,14}$/.test(id)) {
    throw new ProblemError(404, {
      code: 'unknown_project',
      detail: `There is no project ${JSON.stringify(id)}.`,
    })
  }
  return knownProject(db, Number(id))
}
