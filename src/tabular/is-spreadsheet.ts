import { UsageError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import type { FormatOverrides } from './detect-format.ts'

const ZIP = 'PK\x03\x04'
/** Microsoft's older container: .xls, and .xlsx with a password. */
const COMPOUND_FILE = '\xd0\xcf\x11\xe0'

/**
 * Whether a file is a spreadsheet, by its first bytes.
 * @throws UsageError `xls_file`, `bad_flag` where something was said that does not fit
 */
export async function isSpreadsheet(
  source: ByteSource,
  { sheet, encoding, delimiter, quote }: FormatOverrides,
): Promise<boolean> {
  const head = await firstBytes(source)
  if (head === COMPOUND_FILE) {
    throw new UsageError({
      code: 'xls_file',
      message: `${source.name} is an old spreadsheet (.xls) or one with a password; expected CSV, TSV, JSONL or XLSX.`,
      hint: 'Save it as .xlsx without a password, or as "CSV UTF-8".',
    })
  }
  if (head === ZIP) {
    if (encoding === undefined && delimiter === undefined && quote === undefined) return true
    throw badFlag(
      `${source.name} is a spreadsheet: --encoding, --delimiter and --quote say nothing of it.`,
    )
  }
  if (sheet === undefined) return false
  throw badFlag(`${source.name} is no spreadsheet, so it has no sheet "${sheet}".`)
}

async function firstBytes(source: ByteSource): Promise<string> {
  let head = ''
  for await (const chunk of source.open()) {
    head += chunk.toString('latin1', 0, 4)
    if (head.length >= 4) break
  }
  return head.slice(0, 4)
}

function badFlag(message: string): UsageError {
  return new UsageError({ code: 'bad_flag', message, hint: 'Leave the flag out.' })
}
