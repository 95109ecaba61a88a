import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { notWritable } from '../file-trouble.ts'

/** Where long text goes, piece by piece, as fast as it is taken. */
export interface TextSink {
  readonly write: (text: string | Buffer) => Promise<void>
  /** Everything is written and in its place. */
  readonly finish: () => Promise<void>
  /** Takes back what was written, where that is possible. */
  readonly discard: () => Promise<void>
}

export function stdoutSink(): TextSink {
  return {
    write: (text) => writeTo(process.stdout, text),
    finish: async () => undefined,
    discard: async () => undefined,
  }
}

/**
 * A file that appears, or replaces the one before it, only when it is whole. A device or a pipe, such as `/dev/null`, is
 * written to as it stands.
 * @throws UsageError `file_not_writable`; UnavailableError `disk_full`, also while it is written
 */
export async function fileSink(path: string): Promise<TextSink> {
  const isWhole = await isReplaced(path)
  const written = isWhole ? `${path}.partial` : path
  const refuse = (error: unknown): never => {
    throw notWritable(path, error)
  }
  const stream = createWriteStream(written)
  await once(stream, 'open').catch(refuse)
  const done = finished(stream)
  // Awaited by `finish`; until then a failure must not end the process.
  done.catch(() => undefined)
  return {
    write: (text) => writeTo(stream, text).catch(refuse),
    async finish() {
      stream.end()
      await done.catch(refuse)
      if (isWhole) await rename(written, path).catch(refuse)
    },
    async discard() {
      stream.destroy()
      if (isWhole) await rm(written, { force: true })
    },
  }
}

/** Whether a file of that name is, or is to be, a file that may be replaced. */
async function isReplaced(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    return found.isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true
    throw notWritable(path, error)
  }
}

async function writeTo(stream: Writable, text: string | Buffer): Promise<void> {
  if (stream.errored) throw stream.errored
  if (!stream.write(text)) await once(stream, 'drain')
}
