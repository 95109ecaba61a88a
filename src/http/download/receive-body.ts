/** Reads one body to the end of the part of a file: in slots, at a pace, within the size, and of the right kind. */
import { announcedSizeFault, largest } from '../../core/download/size-verdict.ts'
import { contentLength } from '../../core/download/content-range.ts'
import { sliceDigests } from '../../core/download/server-digests.ts'
import { declaredType } from '../../core/download/media-type.ts'
import type { ExpectedContent } from '../../core/download/artifact-plan.ts'
import { BodyDigests } from './body-digests.ts'
import { DownloadError } from './download-error.ts'
import { destroyBody } from './drop-body.ts'
import { detectType, headBytes } from './detect-type.ts'
import { bodyFailureOf, failureText } from './failure-of.ts'
import type { FilePart } from './file-part.ts'
import { BrokenBody, readChunks } from './read-chunks.ts'
import { freeBytesOf, needSpace } from './free-space.ts'
import { sizeError, wrongType } from './content-faults.ts'
import type { Ended, OpenAnswer } from './send-hop.ts'
import type { TempFile } from './temp-file.ts'
import type { TransferContext } from './transfer-context.ts'

export interface Receiving {
  readonly file: TempFile
  readonly part: FilePart
  readonly answer: OpenAnswer
}

/** `broken` what came is in the part; `spoilt` the slice is not what its digest says. */
export type Received =
  | { readonly kind: 'whole' }
  | { readonly kind: 'spoilt' }
  | { readonly kind: 'broken'; readonly failure: DownloadError }

/** @throws DownloadError for what another request would not mend, the reason of the caller's signal */
export async function receiveBody(context: TransferContext, work: Receiving): Promise<Received> {
  const { answer } = work
  let ended: Ended = { reason: null }
  const wireBefore = context.tally.wireBytes
  try {
    await checkAnnounced(context, work)
    const release = await context.call.takeSlots(answer.domain)
    const received = await read(context, work).finally(release)
    if (received.kind === 'broken') {
      const { reason, kind } = received.failure
      ended = { reason, kind }
    }
    return received
  } catch (error) {
    ended =
      error instanceof DownloadError
        ? { reason: error.reason, kind: error.kind }
        : { kind: 'cancelled' }
    throw error
  } finally {
    destroyBody(answer.body)
    answer.end({ ...ended, wireBytes: context.tally.wireBytes - wireBefore })
  }
}

async function read(context: TransferContext, work: Receiving): Promise<Received> {
  const { watch, tally, plan, call, limits } = context
  const { answer, part, file } = work
  const expected = plan.expected ?? {}
  const maxBytes = largest(expected, limits.maxBytes)
  const slice = part.bytes === 0 ? [] : sliceDigests(answer.headers)
  const ofSlice = new BodyDigests(slice.map(({ algorithm }) => algorithm))
  const pace = watch.watchBody()
  let looking: Promise<void> | undefined
  const take = (chunk: Uint8Array, fail: (error: unknown) => void): Promise<void> | undefined => {
    tally.wireBytes += chunk.length
    if (part.bytes + chunk.length > maxBytes) {
      throw sizeError('too-large', part.bytes + chunk.length, expected, maxBytes)
    }
    const written = file.write(chunk)
    part.add(chunk)
    hashAside(context, work)
    context.keeper?.grown(part)
    ofSlice.update(chunk)
    pace.count(chunk.length)
    call.onProgress(part.bytes)
    if (looking === undefined) {
      // More comes meanwhile: what is held back is lost when the connection breaks.
      looking = lookAtHead(part, expected)
      looking?.catch(fail)
    }
    return written
  }
  try {
    await watch.timed(() => readChunks(answer.body, take))
    await looking
    return { kind: (await ofSlice.mismatch(slice)) === null ? 'whole' : 'spoilt' }
  } catch (error) {
    if (watch.signal.aborted) {
      if (watch.fault === null) watch.throwIfCancelled()
      else throw brokenBy(watch.fault, part)
    }
    if (!(error instanceof BrokenBody)) throw error
    const { cause } = error
    return { kind: 'broken', failure: brokenBy(bodyFailureOf(cause), part, cause) }
  } finally {
    pace.stop()
  }
}

/** A large file goes on to be hashed by a thread. */
function hashAside({ options, limits }: TransferContext, { part, file }: Receiving): void {
  const { hasher } = options
  const isLarge = part.bytes >= limits.hashAsideFromBytes
  if (hasher === undefined || !isLarge || part.digests.isAside) return
  file.follow(part.digests.goAside(hasher, file.path))
}

function brokenBy(
  reason: DownloadError['reason'],
  { finalUrl, bytes, first }: FilePart,
  cause?: unknown,
): DownloadError {
  const total = first.totalBytes === null ? 'the whole file' : `${first.totalBytes} bytes`
  const message = `${finalUrl.host} ${failureText(reason)} after ${bytes} bytes; expected ${total}.`
  return new DownloadError({ reason, message, cause })
}

/** What its headers say of the length, before a byte of the body is read. */
async function checkAnnounced(context: TransferContext, work: Receiving): Promise<void> {
  const { plan, limits, options } = context
  const { part, answer } = work
  const bytes = contentLength(answer.headers)
  if (bytes === undefined) return
  const expected = plan.expected ?? {}
  const isEncoded = part.codings.length > 0
  const whole = part.bytes + bytes
  const fault = announcedSizeFault(whole, expected, limits.maxBytes, isEncoded)
  if (fault !== null) throw sizeError(fault, whole, expected, limits.maxBytes)
  const freeBytes = options.freeBytes ?? freeBytesOf
  await needSpace(freeBytes, options.tempDir, { bytes, reserveBytes: limits.diskReserveBytes })
}

/** A page in place of a file is told by its first bytes; the rest of it is not fetched. @returns undefined: not now */
function lookAtHead(part: FilePart, expected: ExpectedContent): Promise<void> | undefined {
  const isLooked = part.detected !== undefined || part.codings.length > 0
  return isLooked || part.head.length < headBytes ? undefined : judgeHead(part, expected)
}

async function judgeHead(part: FilePart, expected: ExpectedContent): Promise<void> {
  const detected = await detectType(part.head)
  part.detected = detected
  const declared = declaredType(part.headers)
  const fault = wrongType({ expected: expected.types ?? [], declared, detected }, part.head)
  if (fault !== null) throw fault
}
