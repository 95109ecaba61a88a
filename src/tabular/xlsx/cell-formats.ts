/** Number formats of a spreadsheet, by the style number that cells carry. */
import { readPart, type XlsxFile } from './read-part.ts'
import { attributeOf } from './xml-splitter.ts'

const MOST_BYTES = 64 * 1024 * 1024

/**
 * Formats that have no text in the file (ECMA-376 part 1, 18.8.30). Those whose look is the reader's country's (14, 22)
 * are written as ISO dates: "3/4/2020" would be a guess.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  27: 'yyyy-mm-dd',
  28: 'yyyy-mm-dd',
  29: 'yyyy-mm-dd',
  30: 'yyyy-mm-dd',
  31: 'yyyy-mm-dd',
  32: 'h:mm',
  33: 'h:mm:ss',
  36: 'yyyy-mm-dd',
  37: '#,##0;(#,##0)',
  38: '#,##0;[Red](#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;[Red](#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy-mm-dd',
  57: 'yyyy-mm-dd',
}
const GENERAL = 'General'

/** @returns format texts by style number; `General` where a number shows as it is. */
export async function readCellFormats(
  file: XlsxFile,
  part: string | undefined,
): Promise<readonly string[]> {
  if (part === undefined || !file.archive.names.includes(part)) return []
  const own = new Map<number, string>()
  const formatIds: number[] = []
  let isCellFormats = false
  for await (const tokens of readPart(file, part, MOST_BYTES)) {
    for (const token of tokens) {
      if (token.kind === 'text') continue
      if (token.name === 'cellXfs') isCellFormats = token.kind === 'open'
      if (token.kind === 'close') continue
      const numberOf = (name: string) => Number(attributeOf(token.attributes, name) ?? 0)
      if (token.name === 'numFmt') {
        own.set(numberOf('numFmtId'), attributeOf(token.attributes, 'formatCode') ?? GENERAL)
      }
      if (token.name === 'xf' && isCellFormats) formatIds.push(numberOf('numFmtId'))
    }
  }
  return formatIds.map((id) => own.get(id) ?? BUILT_IN[id] ?? GENERAL)
}
