import { apiRoutes } from '../../src/web/api/api-routes.ts'
import type { WebLab } from './web-lab.ts'

/** By the operation, so that a route that is asked for nowhere is noticed. */
const ofProject: Readonly<Record<string, readonly string[]>> = {
  getProject: [''],
  listRuns: ['/runs'],
  getRun: ['/runs/1'],
  getProgress: ['/runs/1/progress'],
  followRun: ['/runs/1/events'],
  listTasks: ['/runs/1/tasks'],
  listEntries: [
    '/entries',
    '/entries?limit=500',
    '/entries?order=score',
    '/entries?order=doubt',
    '/entries?status=review&order=doubt',
    '/entries?status=matched',
    '/entries?status=matched&order=score',
    '/entries?status=no_candidate',
    '/entries?status=failed',
    '/entries?status=new',
    '/entries?status=none_fits',
    '/entries?judged=yes',
    '/entries?judged=no&order=score',
    '/entries?stale=yes',
    '/entries?candidates=one&status=review',
    '/entries?type=Q7',
    '/entries?type=Q7&status=review&order=doubt',
    '/entries?type=Q901&status=review&order=doubt',
    '/entries?type=Q901&order=score',
    '/entries?min_score=60&max_score=62',
    '/entries?min_score=60&max_score=62&order=score',
    '/entries?code=http_500',
    '/entries?text=an',
    '/entries?text=zzz+nowhere',
  ],
  countEntries: ['/entry-count', '/entry-count?status=review', '/entry-count?status=matched'],
  getEntry: ['/entries/r3'],
  listJudgments: ['/entries/r3/judgments'],
  exportJudgments: ['/judgments'],
  listActs: ['/acts', '/acts?by=Ann&limit=100'],
  previewBulkAccept: ['/bulk-accept?min_score=50', '/bulk-accept?min_score=50&single=yes'],
  listAudits: ['/audits'],
  listFailures: ['/failures'],
  getScores: ['/scores'],
  listTypes: ['/types'],
  previewThresholds: ['/thresholds?match=70'],
  exportProject: ['/export'],
}
const ofAll: Readonly<Record<string, string>> = {
  listProjects: '/projects',
  listDatasets: '/datasets',
  listLimits: '/limits',
  listExtractions: '/extractions',
  listDownloads: '/downloads',
}
/** Of what this lab has none: no server was asked, nothing was extracted, and a search asks a service. */
const absent = new Set(['getLimit', 'getExtraction', 'searchItems'])

export async function apiPaths({ project, ask }: WebLab): Promise<readonly string[]> {
  const reads = apiRoutes.filter(({ method }) => method === 'get')
  const left = reads.filter(
    ({ operationId }) =>
      !absent.has(operationId) && !(operationId in ofProject) && !(operationId in ofAll),
  )
  if (left.length > 0) {
    const names = left.map(({ operationId }) => operationId).join(', ')
    throw new Error(`expected an address for each GET of the API, found none for ${names}`)
  }
  const base = `/projects/${project.id}`
  const { text } = await ask(`${base}/entries?order=score&limit=500`)
  return [
    ...Object.values(ofAll),
    '/openapi.json',
    ...Object.values(ofProject).flatMap((paths) => paths.map((path) => `${base}${path}`)),
    `${base}/entries?order=score&after=${nextOf(text)}`,
  ]
}

export async function pagePaths({ project, ask }: WebLab): Promise<readonly string[]> {
  const base = `/p/${project.id}`
  const review = `/projects/${project.id}/entries?order=doubt&status=review&limit=500`
  const from = nextOf((await ask(review)).text)
  return [
    '/',
    base,
    `${base}?status=matched&order=score`,
    `${base}?text=zzz+nowhere`,
    `${base}/review`,
    `${base}/review?blind=1`,
    `${base}/review?from=${from}`,
    `${base}/review?status=matched&order=score`,
    `${base}/review?type=Q7`,
    `${base}/review?type=Q901`,
    `${base}/review?audit=1&order=file`,
    `${base}/entry?entry=r3`,
    `${base}/bulk`,
    `${base}/thresholds?match=70`,
    '/import',
  ]
}

function nextOf(page: string): string {
  const { next }: { readonly next: string | null } = JSON.parse(page)
  return next ?? ''
}
