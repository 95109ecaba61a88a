import { parse } from 'content-disposition'
import { displayName } from '../../core/download/display-name.ts'
import { headerText, type ResponseHeaders } from '../../core/retry-after.ts'

/** The name to show of a file: what its host says, else what its address ends in, made safe. */
export function remoteName(
  headers: ResponseHeaders,
  addresses: readonly string[],
  detectedType: string | null,
): string | null {
  const inPaths = addresses.map(lastSegment)
  const names = [
    saidName(headers),
    ...inPaths.filter((name) => /[^.]\.[^.]+$/.test(name)),
    ...inPaths,
  ]
  for (const name of names) {
    const safe = displayName(name, detectedType)
    if (safe !== null) return safe
  }
  return null
}

function saidName(headers: ResponseHeaders): string {
  const text = headerText(headers, 'content-disposition') ?? ''
  try {
    return parse(text).parameters['filename'] ?? ''
  } catch {
    // Malformed: as if it were not there.
    return ''
  }
}

function lastSegment(address: string): string {
  const segment = URL.canParse(address) ? new URL(address).pathname.split('/').at(-1) : ''
  try {
    return decodeURIComponent(segment ?? '')
  } catch {
    // A percent sign of its own.
    return segment ?? ''
  }
}
