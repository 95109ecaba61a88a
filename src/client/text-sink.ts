import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { UsageError } from '../errors.ts'

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
 * A file that appears, or replaces the one before it, only when it is whole.
 * @throws UsageError `file_not_writable`
 */
export async function fileSink(path: string): Promise<TextSink> {
  const partial = `${path}.partial`
  const stream = createWriteStream(partial)
  await once(stream, 'open').catch((error: unknown) => {
    throw new UsageError({
      code: 'file_not_writable',
      message: `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'Choose another place for it.',
      cause: error,
    })
  })
  const done = finished(stream)
  // Awaited by `finish`; until then a failure must not end the process.
  done.catch(() => undefined)
  return {
    write: (text) => writeTo(stream, text),
    async finish() {
      stream.end()
      await done
      await rename(partial, path)
    },
    async discard() {
      stream.destroy()
      await rm(partial, { force: true })
    },
  }
}

async function writeTo(stream: Writable, text: string | Buffer): Promise<void> {
  if (stream.errored) throw stream.errored
  if (!stream.write(text)) await once(stream, 'drain')
}
