import { mkdir } from 'node:fs/promises'
import { exportFields, exportName, unknownFields } from '../../core/download/export-name.ts'
import { manifestLine } from '../../core/download/manifest.ts'
import type { Db } from '../../db/connect.ts'
import {
  type ExportedArtifact,
  readArtifacts,
  readAttempts,
} from '../../db/download-export.repo.ts'
import type { DownloadQueue } from '../../db/download-queues.repo.ts'
import { UsageError } from '../../errors.ts'
import type { BlobStore } from '../../store/blob-store.ts'
import { exportBlob } from '../../store/export-blob.ts'
import type { QueueFlag } from '../commands/download-flags.ts'
import { withCommandContext } from '../command-context.ts'
import { exitCodes } from '../exit-codes.ts'
import { say } from '../output.ts'
import { fileSink, stdoutSink, type TextSink } from '../text-sink.ts'
import { attemptLine, attemptsHead } from './attempt-rows.ts'
import { knownQueue } from './opened-queue.ts'
import { withStore } from './opened-store.ts'
import { counted } from '../../core/counted.ts'

export interface ExportQueueFlags extends QueueFlag {
  readonly to?: string
  readonly name: string
  readonly copy?: true
  readonly manifest?: string
  readonly attempts?: string
}

/** The command `download export`. */
export async function exportQueue(flags: ExportQueueFlags): Promise<void> {
  const { to, manifest, attempts, name } = flags
  const unknown = unknownFields(name)
  if (unknown.length > 0) {
    throw new UsageError({
      code: 'bad_name',
      message: `--name has ${unknown.map((one) => `{${one}}`).join(', ')}; expected some of ${exportFields.map((one) => `{${one}}`).join(', ')}.`,
    })
  }
  await withCommandContext(async ({ config, db }) => {
    const queue = await knownQueue(db, flags.queue)
    const target = manifest ?? (to === undefined && attempts === undefined ? '-' : undefined)
    if (target !== undefined) await writeManifest(db, queue, target)
    if (attempts !== undefined) await writeAttempts(db, queue, attempts)
    if (to !== undefined)
      await withStore(config, queue, (store) => writeFiles(db, queue, store, { ...flags, to }))
  })
}

async function writeManifest(db: Db, { name }: DownloadQueue, path: string): Promise<void> {
  await toSink(path, (sink) =>
    readArtifacts(db, name, (page) => sink.write(page.map(manifestLine).join(''))),
  )
}

async function writeAttempts(db: Db, { name }: DownloadQueue, path: string): Promise<void> {
  await toSink(path, async (sink) => {
    await sink.write(attemptsHead())
    await readAttempts(db, name, (page) => sink.write(page.map(attemptLine).join('')))
  })
}

/** @param path `-`: stdout */
async function toSink(path: string, write: (sink: TextSink) => Promise<void>): Promise<void> {
  const sink = path === '-' ? stdoutSink() : await fileSink(path)
  try {
    await write(sink)
    await sink.finish()
  } catch (error) {
    await sink.discard()
    throw error
  }
  if (path !== '-') say(`Written: ${path}`)
}

async function writeFiles(
  db: Db,
  queue: DownloadQueue,
  store: BlobStore,
  { to: folder, name: template, copy }: ExportQueueFlags & { readonly to: string },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const place = { folder, taken: new Set<string>(), isCopy: copy === true }
  /** Files of one record so far. */
  const numbers = new Map<string, number>()
  let files = 0
  let missing = 0
  await readArtifacts(db, queue.name, async (page) => {
    for (const one of page) {
      const { sha256, bytes } = one
      if (one.outcome !== 'done' || sha256 === null || bytes === null) continue
      const id = one.entry ?? one.artifactId
      const number = (numbers.get(id) ?? 0) + 1
      numbers.set(id, number)
      if ((await store.has(sha256)) === undefined) {
        missing += 1
        continue
      }
      await exportBlob(store, { sha256, bytes }, nameOf(template, one, id, number, sha256), place)
      files += 1
    }
  })
  say(`${counted(files, 'file')} in ${folder}`)
  if (missing === 0) return
  say(
    `${missing} are no longer in the store; what it has: ./record-linker download verify --queue ${queue.name}`,
  )
  process.exitCode = exitCodes.failedRecords
}

function nameOf(
  template: string,
  one: ExportedArtifact,
  id: string,
  number: number,
  sha256: string,
): string {
  const { jobId, item, property, name, hostName, type } = one
  const fields = {
    id,
    n: String(number),
    job: String(jobId),
    name: name ?? id,
    item: item ?? '',
    property: property ?? '',
    sha256,
  }
  return exportName(template, fields, { type, shown: hostName ?? name })
}
