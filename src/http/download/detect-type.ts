import { fileTypeFromBuffer } from 'file-type'
import { mediaType } from '../../core/download/media-type.ts'
import { sniffText } from '../../core/download/sniff-text.ts'

/** So much of a file is looked at; more has hung such parsers. */
export const headBytes = 4_096
const MOST_MS = 1_000

/** The media type that the first bytes tell; null: none. */
export async function detectType(head: Uint8Array): Promise<string | null> {
  const text = sniffText(head)
  // What these say is certain; the rest could be text inside something that has a mark.
  if (text === 'text/html' || text === 'application/pdf' || text === 'image/svg+xml') return text
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MOST_MS)
  })
  try {
    const byMark = await Promise.race([fileTypeFromBuffer(head.subarray(0, headBytes)), late])
    return mediaType(byMark?.mime ?? '') ?? text
  } catch {
    // A head that its parser cannot read is of no type it knows.
    return text
  } finally {
    clearTimeout(timer)
  }
}
