import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

let database: TempDatabase
let db: Db
let web: TestWeb
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  web = testWeb(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const csv = 'id,name\n1,Ikea\n2,Lidl\n3,\n'
const upload = (query: string, body: string | Uint8Array<ArrayBuffer> = csv) =>
  web.ask(`/datasets/shops/import?${query}`, { method: 'POST', body })

it('imports an uploaded file, makes a project of it and exports it again', async () => {
  const trial = await upload('id=id&dry_run=yes')
  expect([trial.status, await trial.json()]).toMatchObject([200, { new: 3, projects: [] }])
  expect((await web.json('/datasets'))['datasets']).toEqual([])

  expect(await (await upload('id=id')).json()).toMatchObject({ lines: 3, new: 3, rejected: 0 })
  const zipped = new Uint8Array(gzipSync(csv))
  expect(await (await upload('id=id&file=shops.csv.gz', zipped)).json()).toMatchObject({
    unchanged: 3,
  })
  expect((await web.json('/datasets'))['datasets']).toMatchObject([
    { dataset: 'shops', records: 3 },
  ])

  const wish = { dataset: 'shops', service: 'sample', mapping: { name: 'name' } }
  const made = await web.post('/projects', wish)
  const at = made.headers.get('Location') ?? ''
  expect([made.status, await made.json()]).toMatchObject([201, { records: { total: 3 }, due: 3 }])
  const again = await web.post('/projects', wish)
  expect([again.status, again.headers.get('Location')]).toEqual([200, at])
  expect(await web.json(at)).toMatchObject({ dataset: 'shops', service: 'sample' })

  const lines = (await (await web.ask(`${at}/export`)).text()).split('\n')
  expect(lines[0]).toMatch(/^id,name,match_qid/)
  expect(lines[1]).toMatch(/^1,Ikea,,,,new/)
})

it.each([
  ['POST', '/projects', { dataset: 'nowhere', service: 'sample' }, 404, 'unknown_dataset'],
  ['POST', '/projects', { dataset: 'shops', service: 'ftp://x' }, 422, 'bad_service'],
  ['POST', '/projects', { service: 'sample' }, 400, 'invalid_request'],
  ['POST', '/projects', [], 400, 'invalid_request'],
  ['GET', '/projects/x', undefined, 400, 'invalid_request'],
  ['GET', '/projects/987654321', undefined, 404, 'unknown_project'],
  ['GET', '/extractions/987654321', undefined, 404, 'unknown_extraction'],
  ['GET', '/limits?limit=0', undefined, 400, 'invalid_request'],
  ['GET', '/limits?top=3', undefined, 400, 'invalid_request'],
  ['PATCH', '/projects', undefined, 405, 'method_not_allowed'],
  ['GET', '/nowhere', undefined, 404, 'not_found'],
])('answers %s %s with %j by %i %s', async (method, path, body, status, code) => {
  const answer = await web.ask(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const problem = (await answer.json()) as Record<string, unknown>
  expect([answer.status, problem]).toMatchObject([status, { status, code }])
  expect(problem['type']).toBe(`urn:record-linker:error:${code}`)
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
})

it('takes no body that is not JSON, or is larger than it says', async () => {
  const post = (body: string, type: string) =>
    web.ask('/projects', { method: 'POST', body, headers: { 'Content-Type': type } })
  expect((await post('{"dataset":"a"}', 'text/plain')).status).toBe(415)
  expect(await (await post('{', 'application/json')).json()).toMatchObject({ code: 'invalid_json' })
  expect((await post(`"${'x'.repeat(1024 * 1024)}"`, 'application/json')).status).toBe(413)
})

it('has a document of itself, and headers that let no other page in', async () => {
  expect(await web.json('/openapi.json')).toMatchObject({ openapi: '3.1.0' })
  const { headers } = await web.ask('/', { headers: { Accept: 'text/html' } })
  const policy = headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  const page = await (await web.ask('/', { headers: { Accept: 'text/html' } })).text()
  expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)| on\w+="| style="/)
})

it('serves its style and its script under an address that changes with them', async () => {
  const page = await (await web.ask('/')).text()
  for (const [, path] of page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    const asset = await web.ask(path ?? '')
    expect([path, asset.status, asset.headers.get('Cache-Control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ])
  }
})

it('lists limits, extractions and downloads also where there are none', async () => {
  expect(await web.json('/limits')).toMatchObject({ domains: [] })
  expect(await web.json('/extractions')).toEqual({ extractions: [] })
  expect(await web.json('/downloads')).toEqual({ queues: [] })
})
