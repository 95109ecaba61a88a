import type { LineEnding } from '../core/table-format.ts'
import { UsageError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { decodeText, encodingName } from './decode-text.ts'
import { detectDelimiter } from './detect-delimiter.ts'
import { detectEncoding } from './detect-encoding.ts'

/** What the user says about a file; what is left out is detected. */
export interface FormatOverrides {
  readonly encoding?: string | undefined
  /** One character. */
  readonly delimiter?: string | undefined
  /** One character, or null where quotes are ordinary characters. Default `"`. */
  readonly quote?: string | null | undefined
  /** Of a spreadsheet: a name, or a number from 1. */
  readonly sheet?: string | undefined
}

interface Detected {
  readonly encoding: string
  /** Why this encoding, for people. */
  readonly because: string
  readonly lineEnding: LineEnding
}

/** A format without what only the header tells. */
export type DetectedFormat =
  | (Detected & { readonly kind: 'jsonl' })
  | (Detected & {
      readonly kind: 'csv'
      readonly delimiter: string
      readonly quote: string | null
    })

/** Enough for a hundred records of most files, in UTF-16 units. */
const SAMPLE_LENGTH = 256 * 1024

/**
 * Finds out how a file is written.
 * @throws UsageError `empty_file`, `json_array`, `unknown_encoding`
 */
export async function detectFormat(
  source: ByteSource,
  overrides: FormatOverrides,
): Promise<DetectedFormat> {
  const { encoding, because } =
    overrides.encoding === undefined
      ? await detectEncoding(source.open())
      : { encoding: encodingName(overrides.encoding), because: 'as asked' }
  const { sample, whole } = await readSample(source, encoding)
  if (sample.trim() === '') {
    throw new UsageError({
      code: 'empty_file',
      message: `${source.name} is empty; expected a header line and records.`,
    })
  }
  refuseArray(source.name, sample)
  const lineEnding = lineEndingOf(sample)
  if (isJsonl(source.name, sample)) return { kind: 'jsonl', encoding, because, lineEnding }
  const quote = overrides.quote === undefined ? '"' : overrides.quote
  const lineBreak = lineEnding === '\r' ? '\r' : '\n'
  const delimiter = overrides.delimiter ?? detectDelimiter(sample, whole, { quote, lineBreak })
  return { kind: 'csv', encoding, because, lineEnding, delimiter, quote }
}

async function readSample(source: ByteSource, encoding: string) {
  let sample = ''
  for await (const text of decodeText(source.open(), encoding)) {
    sample += text
    if (sample.length >= SAMPLE_LENGTH) return { sample, whole: false }
  }
  return { sample, whole: true }
}

function lineEndingOf(sample: string): LineEnding {
  const at = sample.indexOf('\n')
  if (at === -1) return sample.includes('\r') ? '\r' : '\n'
  return sample[at - 1] === '\r' ? '\r\n' : '\n'
}

function isJsonl(name: string, sample: string): boolean {
  return /\.(jsonl|ndjson)$/i.test(name) || /^\s*\{\s*["}]/.test(sample)
}

function refuseArray(name: string, sample: string): void {
  if (!/^\s*\[\s*[{[\]]/.test(sample)) return
  throw new UsageError({
    code: 'json_array',
    message: `${name} is one JSON list; expected one JSON object per line.`,
    hint: `Make it so with: jq -c '.[]' ${name} > records.jsonl`,
  })
}
