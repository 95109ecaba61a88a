/** `verify` and `gc`: what they find, what they remove, and what they leave. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { blobPath } from '../../../src/core/download/blob-path.ts'
import { partName } from '../../../src/core/download/part-name.ts'
import { jobsWithContent } from '../../../src/db/blob-references.repo.ts'
import { holdBlob, putBlob } from '../../../src/db/blobs.repo.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { remember } from '../../../src/store/artifact-cache.ts'
import { collectGarbage, type GarbageOptions } from '../../../src/store/collect-garbage.ts'
import { type FaultyBlob, verifyExitCode, verifyStore } from '../../../src/store/verify-store.ts'
import { hashOf, openFolderScene, staged } from '../../support/stores.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'

const HOUR_MS = 3_600_000
const YOUNG: GarbageOptions = { nowMs: Date.now(), partAgeMs: HOUR_MS, blobAgeMs: HOUR_MS }
/** As if hours had gone by since everything here was made. */
const OLD: GarbageOptions = { ...YOUNG, nowMs: YOUNG.nowMs + 5 * HOUR_MS }

let db: Db
let scene: Awaited<ReturnType<typeof openFolderScene>>
onTempDatabase((url) => (db = connectDatabase(url)))
beforeEach(async () => {
  scene = await openFolderScene()
  await db
    .insertInto('download_queues')
    .values({ name: 'default', options: JSON.stringify({}) })
    .execute()
})
afterEach(async () => {
  await scene.close()
  await db.deleteFrom('blobs').execute()
  await db.deleteFrom('jobs').execute()
  await db.deleteFrom('download_queues').execute()
})

const pathOf = (content: string) => join(scene.folder, blobPath(hashOf(content)))

/** In the store, with a row. */
async function stored(content: string): Promise<string> {
  const file = staged(scene.store, content)
  await scene.store.put(file)
  await putBlob(db, file)
  return file.sha256
}

async function job(values: { readonly content?: string; readonly token?: string }) {
  const { content, token } = values
  const ended = content === undefined ? null : { sha256: hashOf(content), bytes: content.length }
  const { id } = await db
    .insertInto('jobs')
    .values({
      queue: 'default',
      artifact_id: `url:${randomUUID()}`,
      artifact_json: '{}',
      host: 'example.org',
      state: ended === null ? 'in_progress' : 'done',
      sha256: ended?.sha256 ?? null,
      bytes: ended?.bytes ?? null,
      attempt_token: token ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function verified() {
  const faults: FaultyBlob[] = []
  const done: number[] = []
  const report = await verifyStore(db, scene.store, {
    fault: (blob) => void faults.push(blob),
    progress: ({ blobs }) => void done.push(blobs),
  })
  return { report, faults, done }
}

it('verify finds everything whole, says how far it is, and notes when', async () => {
  for (const content of ['a', 'bb', 'ccc']) await stored(content)
  const { report, faults, done } = await verified()
  expect(report).toMatchObject({ blobs: 3, whole: 3, bytes: 6 })
  expect(faults).toEqual([])
  expect(done).toEqual([1, 2, 3])
  expect(verifyExitCode(report)).toBe(0)
  const rows = await db.selectFrom('blobs').select('verified_at').execute()
  expect(rows.every((row) => row.verified_at !== null)).toBe(true)
})

it('verify tells what is broken, missing and unlisted, and which jobs have it', async () => {
  for (const content of ['whole', 'flipped', 'short', 'lost']) await stored(content)
  const jobId = await job({ content: 'flipped' })
  await job({ content: 'never had a row' })
  scene.plant(hashOf('flipped'), Buffer.from('flippeD'))
  scene.plant(hashOf('short'), Buffer.from('sho'))
  await scene.store.remove(hashOf('lost'))
  await scene.store.put(staged(scene.store, 'nobody knows it'))
  const { report, faults } = await verified()
  expect(report.faults).toEqual({ broken: 2, missing: 2, unlisted: 1 })
  expect(new Set(faults.map(({ sha256, fault }) => `${fault} ${sha256}`))).toEqual(
    new Set([
      `broken ${hashOf('flipped')}`,
      `broken ${hashOf('short')}`,
      `missing ${hashOf('lost')}`,
      `missing ${hashOf('never had a row')}`,
      `unlisted ${hashOf('nobody knows it')}`,
    ]),
  )
  expect(verifyExitCode(report)).toBe(3)
  expect(await jobsWithContent(db, [hashOf('flipped')])).toEqual([
    { id: jobId, sha256: hashOf('flipped') },
  ])
})

it('verify of an empty store, and of one with rows only, ends', async () => {
  expect((await verified()).report).toMatchObject({ blobs: 0, whole: 0 })
  await stored('gone')
  await scene.store.remove(hashOf('gone'))
  expect((await verified()).report.faults).toEqual({ broken: 0, missing: 1, unlisted: 0 })
})

it('rule 24: gc removes files of attempts that are over and old, and no others', async () => {
  const running = randomUUID()
  await job({ token: running })
  const names = {
    running: partName(1, running),
    transfer: `${running}.0.part`,
    decoded: `${running}.0-decoded.part`,
    over: partName(2, randomUUID()),
    young: partName(3, randomUUID()),
    foreign: 'notes.txt',
  }
  for (const name of Object.values(names)) {
    const path = join(scene.store.tempDir, name)
    writeFileSync(path, 'half')
    const atS = (YOUNG.nowMs - (name === names.young ? 0 : 2 * HOUR_MS)) / 1000
    utimesSync(path, atS, atS)
  }
  const dry = await collectGarbage(db, scene.store, { ...YOUNG, isDryRun: true })
  expect(dry.parts).toEqual({ files: 1, bytes: 4 })
  expect(existsSync(join(scene.store.tempDir, names.over))).toBe(true)
  expect((await collectGarbage(db, scene.store, YOUNG)).parts).toEqual({ files: 1, bytes: 4 })
  expect(readdirSync(scene.store.tempDir).sort()).toEqual(
    [names.running, names.transfer, names.decoded, names.young, names.foreign].sort(),
  )
})

it('gc removes contents that neither a job nor a stored answer has, once they are old', async () => {
  await stored('of a job')
  await job({ content: 'of a job' })
  await stored('of nobody')
  await scene.store.put(staged(scene.store, 'without a row'))
  const file = staged(scene.store, 'of an answer')
  await scene.store.put(file)
  await db.transaction().execute((tx) =>
    remember(
      tx,
      scene.store,
      {
        request: { url: 'https://example.org/' },
        answer: { status: 200, headers: { ETag: '"1"' } },
        shownUrl: 'https://example.org/',
        finalUrl: null,
        nowMs: YOUNG.nowMs,
      },
      file,
    ),
  )
  expect((await collectGarbage(db, scene.store, YOUNG)).blobs.files).toBe(0)
  expect(await collectGarbage(db, scene.store, OLD)).toMatchObject({
    blobs: { files: 2, bytes: 22 },
    answers: 0,
  })
  expect(existsSync(pathOf('of a job'))).toBe(true)
  expect(existsSync(pathOf('of an answer'))).toBe(true)
  expect(existsSync(pathOf('of nobody'))).toBe(false)
  expect(existsSync(pathOf('without a row'))).toBe(false)
  // An answer that nobody uses any more takes its content with it.
  expect(await collectGarbage(db, scene.store, { ...OLD, unusedAnswerMs: HOUR_MS })).toMatchObject({
    blobs: { files: 1 },
    answers: 1,
  })
  expect((await verified()).report).toMatchObject({ blobs: 1, whole: 1 })
})

it('gc forgets rows whose content is gone, unless a job has it', async () => {
  for (const content of ['of a job', 'of nobody']) {
    await stored(content)
    await scene.store.remove(hashOf(content))
  }
  await job({ content: 'of a job' })
  expect((await collectGarbage(db, scene.store, OLD)).rows).toBe(1)
  const rows = await db.selectFrom('blobs').select('sha256').execute()
  expect(rows).toEqual([{ sha256: hashOf('of a job') }])
})

it('gc waits for whoever is about to refer to a content, and then leaves it', async () => {
  await stored('wanted just now')
  let collected: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await holdBlob(tx, hashOf('wanted just now'))
    collected = collectGarbage(db, scene.store, OLD)
    await tx
      .insertInto('jobs')
      .values({
        queue: 'default',
        artifact_id: 'url:late',
        artifact_json: '{}',
        host: 'example.org',
        state: 'done',
        sha256: hashOf('wanted just now'),
        bytes: 15,
      })
      .execute()
    // The other has come as far as the lock.
    for (;;) {
      const { rows } = await waiting()
      if (rows.length > 0) break
    }
  })
  expect(await collected).toMatchObject({ blobs: { files: 0 }, rows: 0 })
  expect(existsSync(pathOf('wanted just now'))).toBe(true)

  async function waiting() {
    const rows = await db
      .selectFrom('pg_locks' as never)
      .select('pid' as never)
      .where('locktype' as never, '=', 'advisory' as never)
      .where('granted' as never, '=', false as never)
      .execute()
    return { rows }
  }
})
