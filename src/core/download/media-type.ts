/** Media types as they are compared: lower case, without parameters, one name for one format. Pure. */
import { headerText, type ResponseHeaders } from '../retry-after.ts'

const aliases: Readonly<Record<string, string>> = {
  'application/x-pdf': 'application/pdf',
  'application/acrobat': 'application/pdf',
  'application/x-gzip': 'application/gzip',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/javascript': 'text/javascript',
  'application/xhtml+xml': 'text/html',
  'application/x-xml': 'application/xml',
  'text/xml': 'application/xml',
  'text/json': 'application/json',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/svg': 'image/svg+xml',
}

/** Say nothing: what a server sends that does not know. */
const vague = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  'application/download',
  'application/unknown',
])

/** Undefined for what is no media type. */
export function mediaType(text: string): string | undefined {
  const bare = (text.split(';')[0] ?? '').trim().toLowerCase()
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/.test(bare)) return undefined
  return Object.hasOwn(aliases, bare) ? aliases[bare] : bare
}

/** By the header; null where it says nothing. */
export function declaredType(headers: ResponseHeaders): string | null {
  const type = mediaType(headerText(headers, 'content-type') ?? '')
  return type === undefined || vague.has(type) ? null : type
}

/** @param wanted a type, or `image/*` */
export function isOfType(type: string, wanted: string): boolean {
  const pattern = mediaType(wanted) ?? wanted
  return pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}
