/** The Content-Encoding of an answer that was asked for none. Pure. */
import { headerText, type ResponseHeaders } from '../retry-after.ts'

/** What we can undo; zstd is not among it on Node 20. */
export type ContentCoding = 'gzip' | 'br' | 'deflate'

/** More is an attack. */
const mostCodings = 5

const aliases: Readonly<Record<string, ContentCoding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  br: 'br',
  deflate: 'deflate',
}

/** The codings in the order they were applied, in lower case; `identity` is none. */
export function contentCodings(headers: ResponseHeaders): readonly string[] {
  return (headerText(headers, 'content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
}

/** The same in the order they are undone; undefined where one is unknown or there are too many. */
export function decodingSteps(codings: readonly string[]): readonly ContentCoding[] | undefined {
  if (codings.length > mostCodings) return undefined
  const steps = codings.map((name) => (Object.hasOwn(aliases, name) ? aliases[name] : undefined))
  const known = steps.filter((step) => step !== undefined)
  return known.length === steps.length ? known.toReversed() : undefined
}

const gzipTypes = /^application\/(?:x-)?(?:gzip|gzip-compressed|gtar|tgz)$/i
const gzipNames = /\.(?:t?gz|gzip|svgz)$/i

/**
 * The artifact is a gzip file itself, so a `Content-Encoding: gzip` on it is most often a mislabel: it is one when the
 * decoded bytes are no gzip file any more.
 */
export function isGzipArtifact(artifact: {
  readonly path: string
  readonly types: readonly string[]
}): boolean {
  return gzipNames.test(artifact.path) || artifact.types.some((type) => gzipTypes.test(type))
}

/** RFC 1952 §2.3.1. */
export function hasGzipMagic(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}
