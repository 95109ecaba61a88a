import { UsageError } from '../../errors.ts'
import type { OnRead } from '../byte-source.ts'
import { decodeText } from '../decode-text.ts'
import { brokenXlsx } from './broken-xlsx.ts'
import { XmlFault, XmlSplitter, type XmlToken } from './xml-splitter.ts'
import type { ZipArchive } from './zip-archive.ts'

/** A spreadsheet file with the name it has in messages. */
export interface XlsxFile {
  readonly name: string
  readonly archive: ZipArchive
}

/**
 * The XML of one part, a list of tokens per unpacked piece.
 * @throws UsageError `broken_xlsx`, `xlsx_too_large`
 */
export async function* readPart(
  { name, archive }: XlsxFile,
  part: string,
  mostBytes: number,
  onRead?: OnRead,
): AsyncGenerator<readonly XmlToken[]> {
  const splitter = new XmlSplitter()
  try {
    for await (const text of decodeText(archive.open(part, mostBytes, onRead), 'utf-8')) {
      yield splitter.push(text)
    }
    splitter.end()
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof XmlFault)) throw error
    throw brokenXlsx(name, `${error.message} (${part})`, error)
  }
}
