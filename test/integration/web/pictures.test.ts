import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limiterId } from '../../../src/core/workflow-ids.ts'
import { entity, statement } from '../../support/fake-wikidata.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { startWikidataServer, type WikidataServer } from '../../support/wikidata-server.ts'
import { type TestWeb, testWeb } from '../../support/web-app.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let origin: FileOrigin
let server: WikidataServer
let web: TestWeb
beforeAll(async () => {
  origin = await startFileOrigin()
  server = await startWikidataServer({ commons: origin.url('') })
  const { bench } = server
  web = testWeb(bench.db, {
    client: bench.client,
    taskQueue: bench.taskQueue,
    artifacts: pathToFileURL(bench.artifacts).href,
  })
})
afterAll(async () => {
  await server.close()
  await origin.close()
})

it('shows the picture of a candidate from here, asked once of each host', async () => {
  const project = await server.project([{ id: 'r1', name: 'Ada' }])
  server.world([
    entity('Q42', {
      labels: { en: 'Ada' },
      claims: { P18: [statement('string', 'Ada painted.png')] },
    }),
    entity('Q43', { labels: { en: 'Bea' } }),
  ])
  origin.serve('/wiki/Special:FilePath/Ada_painted.png', {
    body: PNG,
    headers: { 'content-type': 'image/png', 'cache-control': 'max-age=3600' },
  })
  const picture = () => web.ask(`/p/${project.id}/picture/Q42`)

  const first = await picture()
  expect([first.status, first.headers.get('Content-Type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await first.arrayBuffer()).equals(PNG)).toBe(true)
  const asked = [origin.requests().length, server.service.requests.length]
  expect(asked[0]).toBe(1)
  await picture()
  expect([origin.requests().length, server.service.requests.length]).toEqual(asked)

  const none = await web.ask(`/p/${project.id}/picture/Q43`)
  expect(none.headers.get('Content-Type')).toBe('image/svg+xml')
  const limiter = limiterId(new URL(origin.url('/')).host)
  expect((await server.bench.client.workflow.getHandle(limiter).describe()).status.name).toBe(
    'RUNNING',
  )
})

it('never shows what can hold a script', async () => {
  const project = await server.project([{ id: 'r1', name: 'Eve' }])
  server.world([
    entity('Q66', { labels: { en: 'Eve' }, claims: { P18: [statement('string', 'Eve.svg')] } }),
  ])
  origin.serve('/wiki/Special:FilePath/Eve.svg', {
    body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    headers: { 'content-type': 'image/svg+xml' },
  })
  const answer = await web.ask(`/p/${project.id}/picture/Q66`)
  expect(origin.requests('/wiki/Special:FilePath/Eve.svg')).toHaveLength(1)
  expect(await answer.text()).not.toContain('script')
})

it('shows none until they are asked for', async () => {
  const project = await server.project([{ id: 'r1', name: 'Ada' }])
  const ann = { Accept: 'text/html', Cookie: 'record_linker_reviewer=Ann' }
  const page = await (await web.ask(`/p/${project.id}/review`, { headers: ann })).text()
  expect(page).toContain('Show pictures')
  expect(page).not.toContain('<img')
})
