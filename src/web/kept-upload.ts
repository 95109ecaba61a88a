/** Files that people sent and look at before they import them: on disk, for a day at most. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ProblemError } from './problem.ts'
import type { SentFile } from './multipart-file.ts'
import { uploadName } from './upload.ts'

const PREFIX = 'record-linker-file-'
const KEPT_MS = 24 * 3_600_000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface KeptUpload {
  readonly id: string
  readonly path: string
  /** Of the file, as it was sent. */
  readonly name: string
}

/** @throws ProblemError `no_file` when it breaks off */
export async function keepUpload({ name, content }: SentFile): Promise<string> {
  await forgetOldUploads()
  const id = randomUUID()
  const folder = folderOf(id)
  await mkdir(folder, { mode: 0o700 })
  try {
    await pipeline(content, createWriteStream(join(folder, uploadName(name)), { mode: 0o600 }))
  } catch (error) {
    await dropUpload(id)
    throw error
  }
  return id
}

/** @throws ProblemError `unknown_upload` */
export async function keptUpload(id: string): Promise<KeptUpload> {
  const names = UUID.test(id) ? await readdir(folderOf(id)).catch(() => []) : []
  const [name] = names
  if (name === undefined) {
    throw new ProblemError(404, {
      code: 'unknown_upload',
      detail: 'This file is not here any more: it was imported, or sent more than a day ago.',
      hint: 'Send it again, under "Import a file".',
    })
  }
  return { id, path: join(folderOf(id), name), name }
}

export async function dropUpload(id: string): Promise<void> {
  await rm(folderOf(id), { recursive: true, force: true })
}

/** Called at each upload and from time to time: a file may be of people, and nobody may come again. */
export async function forgetOldUploads(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(tmpdir(), name)
    // One that is gone already was forgotten by another process.
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > KEPT_MS) {
      // What another user of the machine left there is theirs to remove.
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
    }
  }
}

function folderOf(id: string): string {
  return join(tmpdir(), `${PREFIX}${id}`)
}
