/** Whether the bytes that came are the artifact: size, type, digests, end. */
import { formatEnd, tailBytes } from '../../core/download/format-end.ts'
import { declaredType } from '../../core/download/media-type.ts'
import { finalSizeFault } from '../../core/download/size-verdict.ts'
import { sizeError, wrongType } from './content-faults.ts'
import type { StoredBytes } from './decode-file.ts'
import { detectType, headBytes } from './detect-type.ts'
import { DownloadError } from './download-error.ts'
import type { FilePart } from './file-part.ts'
import type { TransferContext } from './transfer-context.ts'

/** @returns the media type that the bytes tell @throws DownloadError */
export async function inspectFile(
  { plan, limits }: TransferContext,
  part: FilePart,
  stored: StoredBytes,
): Promise<string | null> {
  const { file, bytes } = stored
  const expected = plan.expected ?? {}
  const sizeFault = finalSizeFault(bytes, expected, limits.maxBytes)
  if (sizeFault === 'empty') throw sizeError(sizeFault, bytes, expected, limits.maxBytes)
  const isAsItCame = part.codings.length === 0
  const head = isAsItCame ? part.head : await file.read(0, headBytes)
  const seen = isAsItCame ? part.detected : undefined
  const detected = bytes === 0 ? null : seen === undefined ? await detectType(head) : seen
  const facts = { expected: expected.types ?? [], declared: declaredType(part.headers), detected }
  const typeFault = bytes === 0 ? null : wrongType(facts, head)
  if (typeFault !== null) throw typeFault
  if (sizeFault !== null) throw sizeError(sizeFault, bytes, expected, limits.maxBytes)
  await checkDigests(expected.digests ?? [], part, stored)
  const isProved = expected.bytes !== undefined || (expected.digests ?? []).length > 0
  if (bytes > 0 && !isProved && (expected.mustEndComplete === true || !part.isEndTold)) {
    const tail = await file.read(Math.max(0, bytes - tailBytes), tailBytes)
    const type = detected ?? facts.declared
    checkEnd(formatEnd({ type, head, tail, bytes }), part, expected.mustEndComplete === true)
  }
  return detected
}

/** Those of the host are of the bytes as they came, ours of the bytes that are kept. */
async function checkDigests(
  expected: Parameters<StoredBytes['digests']['mismatch']>[0],
  part: FilePart,
  stored: StoredBytes,
): Promise<void> {
  const ours = await stored.digests.mismatch(expected)
  const theirs = await part.digests.mismatch(part.saidDigests)
  if (ours === null && theirs === null) return
  const whose = ours === null ? 'its own host says' : 'was expected'
  const message = `The ${ours ?? theirs ?? ''} of the file is not the one that ${whose}; expected the same bytes.`
  throw new DownloadError({ reason: 'checksum-mismatch', message })
}

function checkEnd(
  end: ReturnType<typeof formatEnd>,
  { isEndTold, finalUrl }: FilePart,
  mustEnd: boolean,
): void {
  if (end === 'cut') {
    const message = `The file from ${finalUrl.host} lacks the end of its format; expected all of it.`
    throw new DownloadError({ reason: 'truncated', message })
  }
  if (end === 'whole' || isEndTold || !mustEnd) return
  const message = `Neither ${finalUrl.host} nor the format says where the file ends; expected a proof that it is whole.`
  throw new DownloadError({
    reason: 'unproven-end',
    message,
    hint: 'Give its size or a digest with the artifact.',
  })
}
