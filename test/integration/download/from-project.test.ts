/** Files that a project's matched items state, from Commons as the tests have it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statedFiles } from '../../../src/db/stated-files.repo.ts'
import { storeValues } from '../../../src/db/item-values.repo.ts'
import { deleteProject } from '../../../src/db/projects.repo.ts'
import { answerEach, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { openQueue } from './queue-site.ts'

const mapping = { name: 'name', variants: [], properties: [] }

let server: MatchServer
let origin: FileOrigin
beforeAll(async () => {
  server = await startMatchServer()
  origin = await startFileOrigin()
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query }) => [{ id: `Q-${query ?? ''}`, name: query, score: 100 }]),
  )
})
afterAll(async () => {
  await origin.close()
  await server.close()
})

it('pictures of matched items come with author and licence, and go with their project', async () => {
  const { db } = server.bench
  const service = server.ownAddress()
  const records = ['Anna', 'Bram'].map((name, index) => ({ id: String(index), name }))
  const project = await createTestProject(db, service, records, { mapping })
  await (await server.bench.start(project.id)).result()
  await storeValues(db, service, [
    { id: 'Q-Anna', held: { P18: ['Anna.jpg'], P973: ['https://example.org/a'] } },
    { id: 'Q-Bram', held: { P18: ['Bram.jpg', 'Bram 2.jpg'] } },
    { id: 'Q-Other', held: { P18: ['Other.jpg'] } },
  ])
  const question = { projectId: project.id, service, properties: ['P18'] }
  const stated = await statedFiles(db, { ...question, by: 'all' })
  expect(stated.map(({ entry, item, value }) => [entry, item, value])).toEqual([
    ['0', 'Q-Anna', 'Anna.jpg'],
    ['1', 'Q-Bram', 'Bram.jpg'],
    ['1', 'Q-Bram', 'Bram 2.jpg'],
  ])
  expect(await statedFiles(db, { ...question, by: 'automatic' })).toEqual(stated)
  expect(await statedFiles(db, { ...question, by: 'judged' })).toEqual([])

  const queue = await openQueue(server, { commons: origin.url('') })
  const info = {
    extmetadata: { Artist: { value: '<b>A. Nyone</b>' }, LicenseShortName: { value: 'CC0' } },
  }
  origin.serve('/w/api.php', {
    body: JSON.stringify({ query: { pages: [{ imageinfo: [info] }] } }),
  })
  origin.serve('/wiki/Special:FilePath/Anna.jpg', {
    status: 302,
    headers: { location: '/files/anna' },
  })
  origin.serve('/files/anna', { body: Buffer.from('ffd8ffe000104a46494600ffd9', 'hex') })
  await queue.add({
    artifact: {
      commonsFile: 'Anna.jpg',
      origin: { projectId: project.id, entry: '0', item: 'Q-Anna', property: 'P18' },
    },
  })
  await queue.drain()
  expect(await queue.jobs()).toMatchObject([
    {
      artifact_id: 'commons:Anna.jpg',
      state: 'done',
      licence: { author: 'A. Nyone', name: 'CC0', url: null, credit: null },
    },
  ])
  expect(await deleteProject(db, project.id)).toBe('deleted')
  expect(await queue.jobs()).toEqual([])
})
