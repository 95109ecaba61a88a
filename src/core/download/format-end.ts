/** Whether a file ends as its format has to: the only proof where HTTP says no length. Pure. */

/** So much of the end is looked at: the directory of a ZIP ends within 64 KiB of comment. */
export const tailBytes = 65_557

const latin1 = new TextDecoder('latin1')

/** Within how much of the end the mark has to be; writers add line ends and padding. */
const SLACK = 1024

const PNG_END = 'IEND\xaeB`\x82'
const ZIP_END = 'PK\x05\x06'

type EndCheck = (tail: string, head: string, bytes: number) => boolean

const within =
  (mark: string, slack = SLACK): EndCheck =>
  (tail) =>
    tail.slice(-slack - mark.length).includes(mark)

const zipEnd: EndCheck = (tail) => tail.includes(ZIP_END)

const checks: Readonly<Record<string, EndCheck>> = {
  'application/pdf': within('%%EOF'),
  'image/png': within(PNG_END),
  // Cameras append previews and metadata, so anywhere in the tail.
  'image/jpeg': within('\xff\xd9', tailBytes),
  'image/gif': (tail) => /;\0*$/.test(tail),
  'image/webp': (_, head, bytes) => bytes >= littleEndian(head, 4) + 8,
  'application/zip': zipEnd,
  'application/epub+zip': zipEnd,
  'image/svg+xml': (tail) => /<\/(?:\w+:)?svg>\s*(?:<!--[\s\S]*-->\s*)?$/i.test(tail),
  'text/html': (tail) => /<\/html>/i.test(tail),
  'application/json': (tail) => /[\]}"\w]\s*$/.test(tail),
}

/** @param tail the last `tailBytes` at most @returns `unknown`: the format has no end mark */
export function formatEnd(file: {
  readonly type: string | null
  readonly head: Uint8Array
  readonly tail: Uint8Array
  readonly bytes: number
}): 'whole' | 'cut' | 'unknown' {
  const check = checkFor(file.type)
  if (check === undefined) return 'unknown'
  const isWhole = check(latin1.decode(file.tail), latin1.decode(file.head), file.bytes)
  return isWhole ? 'whole' : 'cut'
}

function checkFor(type: string | null): EndCheck | undefined {
  if (type === null) return undefined
  if (Object.hasOwn(checks, type)) return checks[type]
  return /^application\/vnd\.(?:openxmlformats|oasis)/.test(type) ? zipEnd : undefined
}

function littleEndian(text: string, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum + text.charCodeAt(at + i) * 256 ** i, 0)
}
