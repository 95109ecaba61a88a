/** Whether a body is what was expected, by its header and its bytes. Pure. */
import { isOfType } from './media-type.ts'

export interface TypeFacts {
  readonly expected: readonly string[]
  /** By the header; null: it says nothing. */
  readonly declared: string | null
  /** By the bytes; null: no mark. */
  readonly detected: string | null
}

/** Files of these always begin with their mark, so none found means they are something else. */
const marked =
  /^(?:application\/(?:pdf|zip|gzip|x-7z-compressed|x-bzip2|x-tar|epub\+zip|vnd\.openxmlformats.*|vnd\.oasis.*)|image\/(?!svg|x-|\*).*|audio\/(?:mpeg|ogg|flac|wav)|video\/(?:mp4|webm|x-matroska))$/

/** Packed as ZIP: the first bytes need not tell more. */
const zipped = /^application\/(?:epub\+zip|java-archive|vnd\.(?:openxmlformats|oasis|ms-).*)$/

/** `wrong`: what it is stands in the facts. */
export function typeVerdict({ expected, declared, detected }: TypeFacts): 'right' | 'wrong' {
  if (expected.length === 0) return contradicts(declared, detected) ? 'wrong' : 'right'
  const isExpected = (type: string): boolean => expected.some((wanted) => isOfType(type, wanted))
  if (detected !== null)
    return isExpected(detected) || isFamily(expected, detected) ? 'right' : 'wrong'
  if (declared !== null && isExpected(declared)) return marked.test(declared) ? 'wrong' : 'right'
  const canBeUnmarked = expected.some((wanted) => !marked.test(wanted) && !wanted.endsWith('/*'))
  return declared === null && canBeUnmarked ? 'right' : 'wrong'
}

/** A sign-in page instead of a file, though nobody said what the file is. */
function contradicts(declared: string | null, detected: string | null): boolean {
  return detected === 'text/html' && declared !== null && marked.test(declared)
}

/** Bytes tell the wider format only: a document packed as ZIP, text of some kind. */
function isFamily(expected: readonly string[], detected: string): boolean {
  const isWider = (wanted: string): boolean => {
    if (detected === 'application/zip') return zipped.test(wanted)
    if (detected === 'application/xml') return wanted.endsWith('+xml') || wanted === 'text/plain'
    if (detected === 'application/json') return wanted.endsWith('+json') || wanted === 'text/plain'
    return detected === 'text/csv' && /^text\/(?!html)/.test(wanted)
  }
  return expected.some(isWider)
}
