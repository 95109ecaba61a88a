/**
 * Keeps what came of a large file for the next attempt:
 *
 *   bytes come ── each step ──▶ noted: so many, with their hash
 *   the attempt ends ── it may pass ──▶ file and note stay ── next attempt ──▶ copied, hashed ── as noted ──▶ resumed
 *                  └── for good, done ──▶ both go                                    └── another ──▶ from zero
 *
 * The next attempt copies: one that was given up may still write to its own file. What a note says is believed only when
 * the bytes have its hash, so nothing is waited for: after a crash of the machine the file is fetched anew.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ArtifactPlan } from '../../core/download/artifact-plan.ts'
import { noteName, notedHeaders, type PartNote, readNote } from '../../core/download/part-note.ts'
import { resumeHeaders } from '../../core/download/resume-policy.ts'
import { shownUrl } from '../http-url.ts'
import { DownloadError } from './download-error.ts'
import { FilePart } from './file-part.ts'
import type { TempFile } from './temp-file.ts'

export interface PartKeeper {
  /** What an earlier attempt left, copied into the file of this one; null: nothing that can be used. */
  restore(): Promise<FilePart | null>
  /** To be called as a part grows. */
  grown(part: FilePart): void
  /** All that came is of no use any more, or has found its place. */
  forget(): Promise<void>
  /** The transfer broke off. @returns whether its file is to stay */
  keep(error: unknown): Promise<boolean>
}

export interface PartKeeping {
  readonly plan: ArtifactPlan
  readonly dir: string
  /** The file of this attempt. */
  readonly file: TempFile
  /** Of shorter parts nothing is kept; also the distance of notes, bytes. */
  readonly stepBytes: number
  readonly signal: AbortSignal
}

export function createPartKeeper(keeping: PartKeeping): PartKeeper {
  const { plan, dir, file, stepBytes, signal } = keeping
  const key = createHash('sha256').update(plan.url).digest('hex')
  const notePath = join(dir, noteName(key))
  const wanted = (plan.expected?.digests ?? []).map(({ algorithm }) => algorithm)
  let growing: FilePart | null = null
  let notedBytes = 0
  let isNoted = false
  let writing: Promise<unknown> = Promise.resolve()

  /** Whole or not at all: an earlier one stands until then. */
  const write = (part: FilePart): void => {
    notedBytes = part.bytes
    isNoted = true
    const path = `${notePath}.${basename(file.path)}`
    const noting = noteOf(plan.url, file, part)
    noting.catch(() => undefined)
    writing = writing
      .then(async () => writeFile(path, JSON.stringify(await noting), { mode: 0o600 }))
      .then(() => rename(path, notePath))
      // Without a note the file is fetched anew.
      .catch(() => rm(path, { force: true }))
  }
  const forget = async (): Promise<void> => {
    if (!isNoted) return
    await writing
    await rm(notePath, { force: true })
    isNoted = false
  }

  return {
    async restore() {
      const note = await readFile(notePath, 'utf8').then(
        (text) => readNote(text, plan.url),
        () => undefined,
      )
      if (note === undefined) return null
      isNoted = true
      const old = join(dir, note.part)
      try {
        const part = await copied(note, old, file, { wanted, signal })
        if (part === null) {
          await file.truncate()
          await forget()
        } else {
          growing = part
          write(part)
          await writing
        }
        return part
      } finally {
        if (old !== file.path) await rm(old, { force: true })
      }
    },
    grown(part) {
      if (part !== growing) {
        growing = part
        notedBytes = 0
      }
      if (part.bytes - notedBytes < stepBytes) return
      if (resumeHeaders(part.first, part.bytes) !== undefined) write(part)
    },
    forget,
    async keep(error) {
      const part = growing
      const isUseful =
        part !== null &&
        part.bytes >= stepBytes &&
        mayPass(error) &&
        resumeHeaders(part.first, part.bytes) !== undefined
      if (!isUseful) {
        await forget()
        return false
      }
      await file.close()
      write(part)
      await writing
      return true
    },
  }
}

/** Whether the next attempt may want what came: the end of this one says nothing against its bytes. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof DownloadError)) return true
  return error.kind === 'transient' || error.kind === 'unreachable' || error.kind === 'throttled'
}

async function noteOf(url: string, file: TempFile, part: FilePart): Promise<PartNote> {
  const { bytes } = part
  const sha256 = (await part.digests.hex('sha256')) ?? ''
  return {
    url,
    part: basename(file.path),
    bytes,
    sha256,
    status: part.status,
    headers: notedHeaders(part.headers),
    finalUrl: shownUrl(part.finalUrl),
  }
}

/** @returns null: the bytes are not what the note says @throws the reason of the signal, DownloadError `disk-full` */
async function copied(
  note: PartNote,
  from: string,
  to: TempFile,
  {
    wanted,
    signal,
  }: {
    readonly wanted: ConstructorParameters<typeof FilePart>[1]
    readonly signal: AbortSignal
  },
): Promise<FilePart | null> {
  const { status, headers, finalUrl } = note
  const part = new FilePart({ status, headers, hop: { url: new URL(finalUrl) } }, wanted)
  if (resumeHeaders(part.first, note.bytes) === undefined) return null
  const source = createReadStream(from, { end: note.bytes - 1, highWaterMark: 1024 * 1024 })
  let isOurs = false
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      isOurs = true
      await to.write(chunk)
      part.add(chunk)
      isOurs = false
    }
  } catch (error) {
    if (isOurs || signal.aborted) throw error
    // It is gone, or cannot be read.
    return null
  }
  const isRight = part.bytes === note.bytes && (await part.digests.hex('sha256')) === note.sha256
  return isRight ? part : null
}
