/**
 * One attempt to get an artifact by one plan:
 *
 *   HEAD, if wanted ─▶ bytes into a temporary file (`receive-file.ts`) ─▶ decoded, if encoded ─▶ inspected ─▶ the caller's
 *                        ▲                                                                        │ wrong digest
 *                        └──────────────────────── again, whole, twice at most ◀──────────────────┘
 *
 * Invariant: on every way out but success the files of the attempt are gone, its slots are free, its permits reported.
 */
import { setMaxListeners } from 'node:events'
import type { ArtifactPlan } from '../../core/download/artifact-plan.ts'
import { declaredType } from '../../core/download/media-type.ts'
import { defaultTransferLimits } from '../../core/download/transfer-limits.ts'
import { UnavailableError } from '../../errors.ts'
import type { Clocks } from '../exchange.ts'
import { shownUrl } from '../http-url.ts'
import { userAgent } from '../user-agent.ts'
import type {
  ArtifactFetcher,
  FetchArtifactCall,
  FetchArtifactOptions,
  FetchedArtifact,
  FetchedBody,
} from './artifact-fetcher.ts'
import { askHead } from './ask-head.ts'
import { decodeFile } from './decode-file.ts'
import { DownloadError } from './download-error.ts'
import type { FilePart } from './file-part.ts'
import { inspectFile } from './inspect-file.ts'
import { createPartKeeper, type PartKeeper } from './part-keeper.ts'
import { receiveFile } from './receive-file.ts'
import { remoteName } from './remote-name.ts'
import { createTempFile, type TempFile } from './temp-file.ts'
import type { TransferContext } from './transfer-context.ts'
import { TransferWatch } from './transfer-watch.ts'

const machineClocks: Clocks = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

/** @throws UsageError `bad_contact` */
export function createArtifactFetcher(options: FetchArtifactOptions): ArtifactFetcher {
  const agentName = userAgent(options)
  const limits = { ...defaultTransferLimits, ...options.limits }
  const clocks = options.clocks ?? machineClocks
  const closing = new AbortController()
  // Each transfer listens to it, and any number may be on their way.
  setMaxListeners(0, closing.signal)
  return {
    async fetch(plan, call) {
      if (!/^[\w-]+$/.test(call.token)) throw new TypeError('the token of an attempt names a file')
      closing.signal.throwIfAborted()
      call.signal.throwIfAborted()
      const watch = new TransferWatch([call.signal, closing.signal], limits, clocks)
      const tally = { wireBytes: 0, resumes: 0, restarts: 0 }
      const context = { options, agentName, limits, clocks, plan, call, watch, tally }
      try {
        return await fetchArtifact(context, plan, call)
      } finally {
        watch.release()
      }
    },
    async close() {
      closing.abort(
        new UnavailableError({
          code: 'download_closed',
          message: 'This process is stopping, so it fetches nothing more.',
        }),
      )
    },
  }
}

async function fetchArtifact(
  context: TransferContext,
  plan: ArtifactPlan,
  call: FetchArtifactCall,
): Promise<FetchedArtifact> {
  if (plan.needsHead === true) await askHead(context)
  for (let retries = 0; ; retries++) {
    try {
      return await fetchOnce(context, call, `${call.token}.${retries}`)
    } catch (error) {
      const isWrong = error instanceof DownloadError && error.reason === 'checksum-mismatch'
      if (!isWrong || retries >= context.limits.maxChecksumRetries) throw error
    }
  }
}

async function fetchOnce(
  context: TransferContext,
  call: FetchArtifactCall,
  name: string,
): Promise<FetchedArtifact> {
  const { tempDir, openFile, isSealing = false } = context.options
  const { chunkBytes } = context.limits
  const files: TempFile[] = []
  const create = async (fileName: string): Promise<TempFile> => {
    const file = await createTempFile(tempDir, fileName, { openFile, chunkBytes, isSealing })
    files.push(file)
    return file
  }
  let kept: TempFile | undefined
  let keeper: PartKeeper | undefined
  let isReceived = false
  try {
    const wire = await create(name)
    keeper = keeperOf(context, wire)
    const received = await receiveFile({ ...context, keeper }, wire, call.conditional ?? {})
    isReceived = true
    // A thread may be hashing what is in the file.
    await wire.flush()
    // What is found wrong from here on is wrong with all that came.
    await keeper.forget()
    if (received.kind === 'not-modified') return received
    const { part } = received
    const stored = await decodeFile(context, part, wire, () => create(`${name}-decoded`))
    const detectedType = await inspectFile(context, part, stored)
    call.signal.throwIfAborted()
    const hashing = stored.digests.hex('sha256')
    hashing.catch(() => undefined)
    await (isSealing ? stored.file.seal() : stored.file.close())
    const sha256 = (await hashing) ?? ''
    kept = stored.file
    return describe(context, part, { bytes: stored.bytes, path: kept.path, sha256 }, detectedType)
  } catch (error) {
    if (!isReceived && (await keeper?.keep(error)) === true) kept = files[0]
    throw error
  } finally {
    for (const file of files) {
      file.follow(null)
      if (file !== kept) await file.remove()
    }
  }
}

function keeperOf({ options, limits, plan, watch }: TransferContext, file: TempFile): PartKeeper {
  const { tempDir: dir } = options
  return createPartKeeper({
    plan,
    dir,
    file,
    stepBytes: limits.keepPartFromBytes,
    signal: watch.signal,
  })
}

function describe(
  { tally, plan }: TransferContext,
  part: FilePart,
  stored: { readonly path: string; readonly sha256: string; readonly bytes: number },
  detectedType: string | null,
): FetchedBody {
  const { headers, finalUrl, status, isEndTold } = part
  return {
    kind: 'body',
    tempPath: stored.path,
    sha256: stored.sha256,
    bytes: stored.bytes,
    ...tally,
    detectedType,
    declaredType: declaredType(headers),
    status,
    headers,
    finalUrl: shownUrl(finalUrl),
    displayName: remoteName(headers, [plan.url, finalUrl.href], detectedType),
    lengthUnknown: !isEndTold,
  }
}
