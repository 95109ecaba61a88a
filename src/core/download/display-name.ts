/**
 * A name that is safe to show and to write, made of one that a server sent. The store never uses it. Pure.
 */

/** Of UTF-8; folders and suffixes of file systems that allow 255 have room beside it. */
export const longestNameBytes = 200

/** Devices of Windows, whatever the extension. */
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?=\s*(?:$|\.))/i

/** Run when they are clicked; they get another ending. */
const executable =
  /^(?:apk|app|appimage|bat|cmd|com|command|cpl|csh|deb|desktop|dll|dmg|exe|gadget|hta|jar|jnlp|jse?|ksh|lnk|mjs|msc|msi|msix|msp|pif|pkg|pl|ps1|psm1|py|pyw|rb|reg|rpm|scf|scr|sh|shb|sys|url|vbe?|vbs|wsf|wsh|xll)$/i

const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'application/epub+zip': 'epub',
  'application/json': 'json',
  'application/xml': 'xml',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'audio/mpeg': 'mp3',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** Other endings that files of a type have. */
const alsoFor: Readonly<Record<string, readonly string[]>> = {
  'application/gzip': ['tgz', 'svgz'],
  'application/zip': ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'cbz'],
  'application/xml': ['rdf', 'rss', 'atom', 'xsd', 'xsl', 'kml', 'gpx', 'tei'],
  'application/json': ['jsonl', 'geojson', 'jsonld'],
  'image/jpeg': ['jpeg', 'jpe', 'jfif'],
  'image/tiff': ['tiff', 'dng', 'nef', 'cr2'],
  'text/csv': ['tsv', 'txt', 'tab'],
  'text/html': ['htm', 'xhtml'],
}

const encoder = new TextEncoder()

/**
 * @param name as a server or an address says it; a path of either kind of slash is only its last part
 * @param detectedType of the bytes, whose ending it gets; null: its own is kept
 * @returns null when nothing of it can be used
 */
export function displayName(name: string, detectedType: string | null): string | null {
  const clean = lastPart(name)
    .normalize('NFC')
    // Control, format (bidirectional and invisible), private and unassigned characters, halves of pairs.
    .replace(/\p{C}|\p{Zl}|\p{Zp}/gu, '')
    .replace(/[<>:"|?*/\\]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.~-]+/, '')
    .replace(/[\s.]+$/, '')
  if (clean === '') return null
  const dot = clean.lastIndexOf('.')
  const ending = dot > 0 ? clean.slice(dot + 1) : ''
  const isEnding = /^[\p{L}\p{N}_+-]{1,16}$/u.test(ending)
  const stem = isEnding ? clean.slice(0, dot) : clean
  const extension = extensionOf(isEnding ? ending : '', detectedType)
  const suffix = extension === '' ? '' : `.${extension}`
  // One byte is for what stands before a reserved name.
  const room = longestNameBytes - byteLength(suffix) - 1
  const cut = cutToBytes(stem, room).replace(/[\s.]+$/, '')
  if (cut === '') return null
  return `${reserved.test(cut) ? '_' : ''}${cut}${suffix}`
}

/** The type decides; a file of an unknown type keeps its ending, unless that would be run. */
function extensionOf(ending: string, type: string | null): string {
  const known = type !== null && Object.hasOwn(extensions, type) ? extensions[type] : undefined
  if (known !== undefined) {
    const fits =
      ending.toLowerCase() === known || alsoFor[type ?? '']?.includes(ending.toLowerCase())
    return fits === true ? ending : known
  }
  return executable.test(ending) ? `${ending}.download` : ending
}

function lastPart(name: string): string {
  return name.split(/[/\\]/).findLast((part) => !/^[\s.]*$/.test(part)) ?? ''
}

/** Whole characters only. */
function cutToBytes(text: string, bytes: number): string {
  let cut = ''
  let length = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    length += byteLength(segment)
    if (length > bytes) break
    cut += segment
  }
  return cut
}

function byteLength(text: string): number {
  return encoder.encode(text).length
}
