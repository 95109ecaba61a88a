/** From a file to a project: each step is a page, and a form that works as it is. */
import type { Context, Hono } from 'hono'
import { importUpload } from '../../client/import/import-upload.ts'
import { type TableStart, tableStart } from '../../client/import/table-start.ts'
import { serviceName } from '../../client/mapping/service-name.ts'
import { makeProject } from '../../client/projects/make-project.ts'
import { page } from '../draw-page.ts'
import {
  draftIds,
  draftMapping,
  type ImportDraft,
  readDraft,
  suggestedDraft,
} from '../import-draft.ts'
import { dropUpload, keepUpload, type KeptUpload, keptUpload } from '../kept-upload.ts'
import { columnLooks, mappingLook } from '../mapping-look.ts'
import { multipartFile } from '../multipart-file.ts'
import { type Problem, toProblem } from '../problem.ts'
import { queryText } from '../query-text.ts'
import { readFields } from '../read-fields.ts'
import type { WebContext } from '../web-context.ts'
import { MappingPage } from './mapping-page.tsx'
import { UploadPage } from './upload-page.tsx'

/** Enough to see what a column holds. */
const RECORDS_LOOKED_AT = 200

export function mountImport(app: Hono, context: WebContext): void {
  app.get('/import', (c) => page(c, <UploadPage problem={null} />))

  app.post('/import', async (c) => {
    let id: string | undefined
    try {
      id = await keepUpload(
        await multipartFile(c.req.raw.body ?? emptyBody(), c.req.header('Content-Type') ?? ''),
      )
      // What is no table is refused here, where another file can be chosen.
      await tableStart((await keptUpload(id)).path, 1)
      return c.redirect(`/import/${id}`, 303)
    } catch (error) {
      if (id !== undefined) await dropUpload(id)
      const problem = toProblem(error)
      if (!isMendable(problem)) throw error
      return page(c, <UploadPage problem={problem} />, true, 422)
    }
  })

  app.get('/import/:upload', async (c) => {
    const { upload, start, suggested } = await opened(c)
    return mappingPage(c, upload, start, suggested, null)
  })

  app.post('/import/:upload', async (c) => {
    const { upload, start, suggested } = await opened(c)
    const fields = await readFields(c)
    const draft = readDraft(fields, suggested)
    if (fields.text('do') !== 'import') return mappingPage(c, upload, start, draft, null)
    try {
      const { project, rejected } = await importDraft(context, upload, draft)
      await dropUpload(upload.id)
      const more = rejected === 0 ? '' : `?${queryText({ rejected: String(rejected) })}`
      return c.redirect(`/p/${project}/begin${more}`, 303)
    } catch (error) {
      const problem = toProblem(error)
      if (!isMendable(problem)) throw error
      return mappingPage(c, upload, start, draft, problem)
    }
  })

  async function opened(c: Context) {
    const upload = await keptUpload(c.req.param('upload') ?? '')
    const start = await tableStart(upload.path, RECORDS_LOOKED_AT)
    return { upload, start, suggested: suggestedDraft(upload.name, columnLooks(start)) }
  }

  async function mappingPage(
    c: Context,
    { id, name }: KeptUpload,
    start: TableStart,
    draft: ImportDraft,
    problem: Problem | null,
  ): Promise<Response> {
    const look = await mappingLook(context, start, draft)
    const status = problem === null ? 200 : 422
    return page(
      c,
      <MappingPage upload={id} fileName={name} {...{ look, draft, problem }} />,
      true,
      status,
    )
  }
}

async function importDraft(
  { db }: WebContext,
  { path }: KeptUpload,
  draft: ImportDraft,
): Promise<{ readonly project: number; readonly rejected: number }> {
  // What is wrong with it shows before anything is written.
  const service = serviceName(draft.service)
  const mapping = draftMapping(draft)
  const ids = draftIds(draft)
  const report = await importUpload(db, {
    path,
    dataset: draft.dataset,
    idColumns: ids.length === 0 ? undefined : ids,
    mapping,
    append: draft.append,
    isTrial: false,
  })
  const { project } = await makeProject(db, {
    dataset: draft.dataset,
    service,
    mapping,
    takesEqual: true,
  })
  return { project: project.id, rejected: report.rejected }
}

/** What a person can mend is shown beside what was entered; a defect is not. */
function isMendable({ status }: Problem): boolean {
  return status < 500
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // There is nothing in it.
}
