/**
 * Undoes a Content-Encoding that came though none was asked for. The whole file is decoded, never a slice of it, and
 * what is cut short is found out here.
 */
import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { ExpectedContent } from '../../core/download/artifact-plan.ts'
import {
  type ContentCoding,
  decodingSteps,
  hasGzipMagic,
  isGzipArtifact,
} from '../../core/download/content-codings.ts'
import { declaredType } from '../../core/download/media-type.ts'
import { largest } from '../../core/download/size-verdict.ts'
import { BodyDigests } from './body-digests.ts'
import { sizeError } from './content-faults.ts'
import { DownloadError } from './download-error.ts'
import type { FilePart } from './file-part.ts'
import type { TempFile } from './temp-file.ts'
import type { TransferContext } from './transfer-context.ts'

/** The bytes that are kept. */
export interface StoredBytes {
  readonly file: TempFile
  readonly bytes: number
  readonly digests: BodyDigests
}

const decoders = { gzip: createGunzip, br: createBrotliDecompress, deflate: createInflate }

/**
 * @param part as it came, in `wire`
 * @param create makes the file for the decoded bytes
 * @returns `wire` itself where there is nothing to undo, or the header mislabels a file that is a gzip file itself
 * @throws DownloadError `truncated`, `bad-encoding`, `unknown-encoding`, `too-large`, `disk-full`
 */
export async function decodeFile(
  context: TransferContext,
  part: FilePart,
  wire: TempFile,
  create: () => Promise<TempFile>,
): Promise<StoredBytes> {
  const asItCame = { file: wire, bytes: part.bytes, digests: part.digests }
  if (part.codings.length === 0 || part.bytes === 0) return asItCame
  const steps = decodingSteps(part.codings)
  if (steps === undefined) {
    const message = `The body is encoded as ${part.codings.slice(0, 6).join(', ').slice(0, 80)}; expected none.`
    throw new DownloadError({ reason: 'unknown-encoding', message })
  }
  const expected = context.plan.expected ?? {}
  const sink = new DecodedSink(expected, largest(expected, context.limits.maxBytes))
  if (steps.length === 1 && steps[0] === 'gzip' && isGzip(context, part)) sink.mustBeGzip = true
  const file = await create()
  try {
    await pipe(context, wire, steps, (chunk) => sink.take(chunk, file))
    return { file, bytes: sink.bytes, digests: sink.digests }
  } catch (error) {
    await file.remove()
    if (error instanceof Mislabelled) return asItCame
    throw error
  }
}

/** The header said that a gzip file is encoded once more, which it is not. */
class Mislabelled extends Error {}

class DecodedSink {
  readonly digests: BodyDigests
  readonly #expected: ExpectedContent
  readonly #maxBytes: number
  mustBeGzip = false
  bytes = 0

  constructor(expected: ExpectedContent, maxBytes: number) {
    this.digests = new BodyDigests([
      'sha256',
      ...(expected.digests ?? []).map(({ algorithm }) => algorithm),
    ])
    this.#expected = expected
    this.#maxBytes = maxBytes
  }

  async take(chunk: Uint8Array, file: TempFile): Promise<void> {
    if (this.mustBeGzip && this.bytes === 0 && !hasGzipMagic(chunk)) throw new Mislabelled()
    this.bytes += chunk.length
    if (this.bytes > this.#maxBytes) {
      throw sizeError('too-large', this.bytes, this.#expected, this.#maxBytes)
    }
    this.digests.update(chunk)
    await file.write(chunk)
  }
}

async function pipe(
  { watch }: TransferContext,
  wire: TempFile,
  steps: readonly ContentCoding[],
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  await wire.flush()
  const taken = callbackify(take)
  const sink = new Writable({ write: (chunk: Uint8Array, _, done) => taken(chunk, done) })
  const streams = [createReadStream(wire.path), ...steps.map((step) => decoders[step]())]
  try {
    await watch.timed(() => pipeline([...streams, sink], { signal: watch.signal }))
  } catch (error) {
    watch.throwIfCancelled()
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (watch.fault === null && !/^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI)/.test(code)) throw error
    const reason = watch.fault ?? (code === 'Z_BUF_ERROR' ? 'truncated' : 'bad-encoding')
    const message = `The encoded body cannot be decoded (${reason}); expected a whole one.`
    throw new DownloadError({ reason, message, cause: error })
  }
}

function isGzip({ plan }: TransferContext, { headers, finalUrl }: FilePart): boolean {
  const declared = declaredType(headers)
  const types = [...(plan.expected?.types ?? []), ...(declared === null ? [] : [declared])]
  return [new URL(plan.url), finalUrl].some((url) => isGzipArtifact({ path: url.pathname, types }))
}
