/**
 * The digests a server sends with a body: Repr-Digest and Content-Digest (RFC 9530), the older Digest (RFC 3230) and
 * Content-MD5. They are of the bytes as they came, encoded ones included. Verified if present, never required; an
 * entity tag is none. Pure.
 */
import type { ExpectedDigest } from './artifact-plan.ts'
import { headerText, type ResponseHeaders } from '../retry-after.ts'

const algorithms: Readonly<
  Record<string, { readonly name: ExpectedDigest['algorithm']; readonly bytes: number }>
> = {
  'sha-256': { name: 'sha256', bytes: 32 },
  'sha-512': { name: 'sha512', bytes: 64 },
  sha: { name: 'sha1', bytes: 20 },
  md5: { name: 'md5', bytes: 16 },
}

/** Of the whole file, from an answer that carries all of it. What is malformed or unknown is ignored. */
export function wholeDigests(headers: ResponseHeaders): readonly ExpectedDigest[] {
  const contentMd5 = headerText(headers, 'content-md5')?.trim() ?? ''
  return [
    ...members(headerText(headers, 'repr-digest') ?? ''),
    ...members(headerText(headers, 'content-digest') ?? ''),
    ...members(headerText(headers, 'digest') ?? ''),
    ...digest('md5', contentMd5),
  ]
}

/** Of the slice that an answer with 206 carries. */
export function sliceDigests(headers: ResponseHeaders): readonly ExpectedDigest[] {
  return members(headerText(headers, 'content-digest') ?? '')
}

/** `sha-256=:…:` and `SHA-256=…`, separated by commas. */
function members(text: string): readonly ExpectedDigest[] {
  return text.split(',').flatMap((member) => {
    const match = /^\s*([\w-]+)=:?([A-Za-z\d+/]+={0,2}):?\s*$/.exec(member)
    return digest((match?.[1] ?? '').toLowerCase(), match?.[2] ?? '')
  })
}

function digest(name: string, base64: string): readonly ExpectedDigest[] {
  const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
  if (algorithm === undefined || base64 === '') return []
  const bytes = decoded(base64)
  if (bytes === undefined || bytes.length !== algorithm.bytes) return []
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [{ algorithm: algorithm.name, hex }]
}

function decoded(base64: string): readonly number[] | undefined {
  try {
    return Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    // No base64: a header we cannot use.
    return undefined
  }
}
