import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../errors.ts'
import { fileTroubleText } from '../file-trouble.ts'
import { mergeKbItems, parseKbItem, type KbItem } from './kb-item.ts'

export interface KbFileContent {
  /** In the order of the file, one per id. */
  readonly items: readonly KbItem[]
  readonly badLines: number
}

// The longest Wikidata items are about 4 MB; anything longer is not a file of lines.
const LONGEST_LINE_BYTES = 16 * 1024 * 1024
const LINE_FEED = 10
const GZIP_MAGIC = [0x1f, 0x8b]

/**
 * Reads a JSONL file, gzipped or not, into items. Rows with a known id are merged; a bad line is reported and left out.
 * Throws UsageError when the file is missing, unreadable or has no good row at all.
 */
export async function readKbFile(
  file: string,
  onBadLine: (line: number, reason: string) => void,
): Promise<KbFileContent> {
  const items = new Map<string, KbItem>()
  let badLines = 0
  let firstReason = 'it has no lines'
  const reject = (line: number, text: string, reason: string): void => {
    if (line === 1) refuseTable(file, text)
    if (badLines++ === 0) firstReason = `line ${line}: ${reason}`
    onBadLine(line, reason)
  }
  // Fatal, because a replacement character in a name would never match and never be noticed.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  try {
    for await (const bytes of linesOf(file)) {
      line++
      const text = decode(decoder, bytes)
      if (text === null) {
        reject(line, '', 'not UTF-8')
        continue
      }
      if (text.trim() === '') continue
      const item = parseKbItem(text)
      if ('reason' in item) {
        reject(line, text, item.reason)
        continue
      }
      const known = items.get(item.qid)
      items.set(item.qid, known === undefined ? item : mergeKbItems(known, item))
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError({
      code: 'kb_file_unreadable',
      message: `Cannot read the knowledge base ${file}: ${fileTroubleText(cause)}.`,
      hint: 'Give the path of a JSONL file (plain or .gz), one item a line.',
      cause,
    })
  }
  if (items.size === 0) {
    throw new UsageError({
      code: 'kb_file_empty',
      message: `No usable row in ${file}: ${firstReason}.`,
      hint: 'Each line is one object such as {"qid":"Q95","label":"Google","aliases":[],"types":[],"properties":{}}.',
    })
  }
  return { items: [...items.values()], badLines }
}

/** Told once in place of every line of it. */
function refuseTable(file: string, firstLine: string): void {
  const text = firstLine.replace(/^\ufeff/, '').trim()
  const isTable = /^[^[{]+[,;\t|]/.test(text)
  const isArray = text.startsWith('[')
  if (!isTable && !isArray) return
  throw new UsageError({
    code: 'kb_file_not_lines',
    message: `${file} looks like ${isArray ? 'a JSON array' : 'CSV'}; expected JSONL: one JSON object a line, with "qid" and "label".`,
    hint: isArray
      ? 'A JSON array becomes JSONL with: jq -c ".[]" FILE > FILE.jsonl'
      : 'A line is such as {"qid":"a1","label":"Google","aliases":["Google LLC"],"types":[],"properties":{}}.\nTo match the records of a CSV file: ./record-linker import FILE --dry-run',
  })
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    // The only thing a fatal decoder throws: the bytes are not UTF-8.
    return null
  }
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const zipped = await isGzip(file)
  const raw = createReadStream(file, { highWaterMark: 1024 * 1024 })
  // An error arrives at the reader of the last stream, so the callback has nothing to do.
  const source = zipped ? pipeline(raw, createGunzip(), () => undefined) : raw
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      yield bytes.subarray(start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > LONGEST_LINE_BYTES) {
      throw new UsageError({
        code: 'kb_file_not_lines',
        message: `${file} has a line of more than ${LONGEST_LINE_BYTES / 1024 / 1024} MB; expected JSONL, one item a line.`,
        hint: 'A JSON array becomes JSONL with: jq -c ".[]" FILE > FILE.jsonl',
      })
    }
  }
  if (rest.length > 0) yield rest
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && GZIP_MAGIC.every((byte, i) => buffer[i] === byte)
  } finally {
    await handle.close()
  }
}
