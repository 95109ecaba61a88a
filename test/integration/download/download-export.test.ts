import { afterAll, beforeAll, expect, it } from 'vitest'
import { attemptLine } from '../../../src/client/download/attempt-rows.ts'
import { manifestLine } from '../../../src/core/download/manifest.ts'
import { putBlob } from '../../../src/db/blobs.repo.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { readArtifacts, readAttempts } from '../../../src/db/download-export.repo.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { hashOf } from '../../support/stores.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

const sha256 = hashOf('a picture')
const LICENCE = { author: 'A. Author', name: 'CC BY 4.0', url: null, credit: 'Photo: A. Author' }

let database: TempDatabase
let db: Db
let jobIds: readonly number[]
beforeAll(async () => {
  database = await createTempDatabase()
  db = connectDatabase(database.url)
  const queues = ['default', 'other'].map((name) => ({ name, options: '{}' }))
  await db.insertInto('download_queues').values(queues).execute()
  await putBlob(db, { sha256, bytes: 9, type: 'image/png' })
  const job = { queue: 'default', host: 'example.org' }
  const project = await createTestProject(db, 'http://127.0.0.1:1', [])
  const origin = { projectId: project.id, entry: '17', item: 'Q1', property: 'P18' }
  const rows = await db
    .insertInto('jobs')
    .values([
      {
        ...job,
        artifact_id: 'url:https://example.org/a',
        artifact_json: JSON.stringify({ name: 'A', origin, licence: LICENCE }),
        state: 'done',
        sha256,
        bytes: 9,
        content_type: 'text/plain',
        final_url: 'https://example.org/a',
        http_status: 200,
        cache_status: 'stored',
        display_name: 'a.png',
      },
      { ...job, artifact_id: 'doi:10.1/x', artifact_json: '{}', state: 'error', reason: 'gone' },
      { ...job, queue: 'other', artifact_id: 'url:elsewhere', artifact_json: '{}' },
    ])
    .returning('id')
    .execute()
  jobIds = rows.map(({ id }) => id)
  const attempt = { attempt: 1, resolver: 'direct', plan: 0, host: 'example.org' }
  await db
    .insertInto('download_attempts')
    .values([
      { ...attempt, job_id: jobIds[0] ?? 0, verb: 'http-get', status: 200, wire_bytes: 9 },
      { ...attempt, job_id: jobIds[2] ?? 0, verb: 'http-get', status: 200 },
    ])
    .execute()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

it('the manifest has one line per artifact of the queue, with the licence and the type of the bytes', async () => {
  const lines: string[] = []
  await readArtifacts(db, 'default', async (page) => void lines.push(...page.map(manifestLine)))
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      artifact: 'url:https://example.org/a',
      entry: '17',
      outcome: 'done',
      reason: null,
      sha256,
      path: `sha256/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`,
      final_url: 'https://example.org/a',
      bytes: 9,
      type: 'image/png',
      status: 200,
      cache: 'stored',
      name: 'A',
      licence: 'CC BY 4.0',
      licence_url: null,
      author: 'A. Author',
      credit: 'Photo: A. Author',
    },
    expect.objectContaining({
      artifact: 'doi:10.1/x',
      outcome: 'error',
      reason: 'gone',
      path: null,
    }),
  ])
})

it('the attempts of a queue come in the order in which they were made', async () => {
  const lines: string[] = []
  await readAttempts(db, 'default', async (page) => void lines.push(...page.map(attemptLine)))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(
    `,${jobIds[0]},url:https://example.org/a,1,direct,0,http-get,200,,example.org,9,0,0,`,
  )
})
