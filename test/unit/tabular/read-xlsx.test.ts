import { describe, expect, it } from 'vitest'
import { openZip } from '../../../src/tabular/xlsx/zip-archive.ts'
import { readTable } from './read-table.ts'
import { textRow, xlsxFile, zipFile } from '../../support/xlsx-file.ts'

const HEADER = textRow(1, 'id', 'value')
const file = { name: 'a.xlsx' }

/** What the cells of one column show. */
async function shown(
  cells: readonly string[],
  { styles = '', strings = '', from1904 = false } = {},
): Promise<readonly string[]> {
  const rows = cells.map(
    (cell, index) => `<row r="${index + 2}"><c r="A${index + 2}"><v>1</v></c>${cell}</row>`,
  )
  const bytes = xlsxFile({ sheets: { S: HEADER + rows.join('') }, styles, strings, from1904 })
  const { cells: read, rejected } = await readTable(bytes, file)
  expect(rejected).toEqual([])
  return read.map((row) => row['value'] ?? '')
}

const formats = (...codes: readonly string[]) =>
  `<numFmts>${codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('')}</numFmts>` +
  `<cellStyleXfs><xf numFmtId="10"/></cellStyleXfs><cellXfs>${codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')}</cellXfs>`

describe('cells are taken as shown', () => {
  it('case 4: numbers keep their digits, and are never shortened to fit a column', async () => {
    const numbers = [
      '12',
      '0.1',
      '0.30000000000000004',
      '1234567890123',
      '113230702000000',
      '-5',
      '5E1',
      '1E-7',
    ]
    const cells = numbers.map((number) => `<c><v>${number}</v></c>`)
    expect(await shown(cells)).toEqual([
      '12',
      '0.1',
      '0.3',
      '1234567890123',
      '113230702000000',
      '-5',
      '50',
      '1e-7',
    ])
  })

  it('numbers with a format, dates among them', async () => {
    const styles = formats(
      '000000',
      '0.00%',
      'yyyy\\-mm\\-dd',
      'dd.mm.yyyy',
      '#,##0.00 &quot;€&quot;',
      '[$-407]d\\. mmmm yyyy',
      'h:mm',
      '&quot;day&quot; 0',
    )
    const values = ['7804', '0.256', '17092', '17092', '1234.5', '17092', '0.75', '3']
    const cells = values.map((value, style) => `<c s="${style}"><v>${value}</v></c>`)
    expect(await shown(cells, { styles })).toEqual([
      '007804',
      '25.60%',
      '1946-10-17',
      '17.10.1946',
      '1,234.50 €',
      '17. Oktober 1946',
      '18:00',
      'day 3',
    ])
  })

  it('a date whose look is the reader’s country’s is ISO, also when days count from 1904', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>'
    const cells = [
      '<c s="1"><v>17092</v></c>',
      '<c s="2"><v>17092.5</v></c>',
      '<c s="0"><v>17092</v></c>',
    ]
    expect(await shown(cells, { styles })).toEqual(['1946-10-17', '1946-10-17 12:00', '17092'])
    expect((await shown(cells, { styles, from1904: true }))[0]).toBe('1950-10-18')
  })

  it('truth values, errors, results of formulas and formatted texts', async () => {
    const strings =
      '<si><t xml:space="preserve"> Müller &amp; Söhne </t></si>' +
      '<si><r><t>Rich</t></r><r><rPr><b/></rPr><t xml:space="preserve"> text</t></r></si>' +
      '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>' +
      '<si><t>two_x000D_\nlines &#x2014; &lt;b&gt;</t></si>'
    const cells = [
      '<c t="b"><v>1</v></c>',
      '<c t="b"><v>0</v></c>',
      '<c t="e"><v>#N/A</v></c>',
      '<c t="str"><f>A1&amp;"x"</f><v>1x</v></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="d"><v>1946-10-17T00:00:00</v></c>',
      ...[0, 1, 2, 3].map((index) => `<c t="s"><v>${index}</v></c>`),
      '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
      '<c/>',
    ]
    expect(await shown(cells, { strings })).toEqual([
      'TRUE',
      'FALSE',
      '#N/A',
      '1x',
      '2',
      '1946-10-17',
      ' Müller & Söhne ',
      'Rich text',
      '東京',
      'two\nlines — <b>',
      'inline',
      '',
    ])
  })
})

describe('a sheet', () => {
  it('is a table whose lines are the rows of the sheet, blank ones left out', async () => {
    const rows = `${textRow(3, ' name ', '', 'name')}<row r="5"/>${textRow(6, 'A', 'x', 'b')}<row r="9"><c r="C9"><v>7</v></c></row>`
    const { table, records } = await readTable(xlsxFile({ sheets: { S: rows } }), file)
    expect(table.columns).toEqual(['name', 'column_2', 'name_2'])
    expect(table.notes).toHaveLength(2)
    expect(records).toEqual([
      { ordinal: 1, line: 6, cells: { name: 'A', column_2: 'x', name_2: 'b' }, raw: null },
      { ordinal: 2, line: 9, cells: { name: '', column_2: '', name_2: '7' }, raw: null },
    ])
    expect(table.format).toMatchObject({ kind: 'csv', header: 'name,column_2,name_2' })
  })

  it('of several is the first that is not hidden, and the others are named', async () => {
    const sheets = { Notes: textRow(1, 'n'), Painters: textRow(1, 'p'), '02': textRow(1, 'two') }
    const bytes = xlsxFile({ sheets, hidden: ['Notes'] })
    const { table } = await readTable(bytes, file)
    expect(table.columns).toEqual(['p'])
    expect(table.notes).toEqual([
      'Sheet "Painters" is taken; the others (--sheet): 1 "Notes" (hidden), 3 "02".',
    ])
    const columns = async (sheet: string) =>
      (await readTable(bytes, { ...file, sheet })).table.columns
    expect(await columns('Notes')).toEqual(['n'])
    expect(await columns('painters')).toEqual(['p'])
    // A name wins over a number.
    expect(await columns('02')).toEqual(['two'])
    expect(await columns('1')).toEqual(['n'])
    await expect(columns('Sculptors')).rejects.toMatchObject({
      code: 'unknown_sheet',
      message: expect.stringContaining('1 "Notes", 2 "Painters", 3 "02"'),
    })
  })

  it('rejects a row whose formula has no result, or that goes beyond the header', async () => {
    const rows = `${HEADER}<row r="2"><c><v>1</v></c><c><f>A2</f></c></row>${textRow(3, '2', 'b', 'c')}${textRow(4, '3', 'd')}`
    const { records, rejected } = await readTable(xlsxFile({ sheets: { S: rows } }), file)
    expect(records.map(({ line }) => line)).toEqual([4])
    expect(rejected).toEqual([
      {
        line: 2,
        reason: 'has a cell (B2) that holds a formula whose result was never stored',
        raw: '1,',
      },
      { line: 3, reason: 'has text in column C, which has no header', raw: '2,b' },
    ])
  })

  it('may be written with prefixes and without references, in pieces of any size', async () => {
    const bytes = zipFile({
      'xl/workbook.xml':
        '<x:workbook><x:sheets><x:sheet name="S" rel:id="a"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="/xl/deep/s.xml"/></Relationships>',
      'xl/deep/s.xml': `<x:worksheet><x:sheetData><x:row><x:c t="str"><x:v>a&gt;b</x:v></x:c></x:row><!-- > --><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    })
    const { table, cells } = await readTable(bytes, { ...file, pieceBytes: 7 })
    expect([table.columns, cells]).toEqual([['a>b'], [{ 'a>b': '1' }]])
  })

  it('of 20,000 rows streams', async () => {
    const row = (index: number) =>
      `<row r="${index}"><c r="A${index}"><v>${index}</v></c><c r="B${index}" t="s"><v>0</v></c></row>`
    const rows = Array.from({ length: 20_000 }, (_, index) => row(index + 2))
    const bytes = xlsxFile({
      sheets: { S: HEADER + rows.join('') },
      strings: '<si><t>same</t></si>',
    })
    const { records } = await readTable(bytes, file)
    expect(records.at(-1)).toMatchObject({ line: 20_001, cells: { id: '20001', value: 'same' } })
  })
})

describe('a spreadsheet is refused', () => {
  const good = xlsxFile({ sheets: { S: HEADER } })
  it.each<[string, Buffer, string]>([
    ['that is an old one', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'), 'xls_file'],
    ['that is cut off', good.subarray(0, good.length - 30), 'broken_xlsx'],
    ['that is no spreadsheet', zipFile({ 'a.csv': 'id,name\n' }), 'no_workbook'],
    ['that is OpenDocument', zipFile({ 'content.xml': '<x/>' }), 'no_workbook'],
    ['that is binary', zipFile({ 'xl/workbook.bin': 'x' }), 'broken_xlsx'],
    ['without a row', xlsxFile({ sheets: { S: '' } }), 'empty_file'],
    ['with a document type', xlsxFile({ sheets: { S: '<!DOCTYPE lolz []>' } }), 'broken_xlsx'],
    ['that ends too soon', xlsxFile({ sheets: { S: `${HEADER}<row ` } }), 'broken_xlsx'],
  ])('%s', async (_, bytes, code) => {
    await expect(readTable(bytes, file)).rejects.toMatchObject({ code })
  })

  it('whose checksum is wrong', async () => {
    const bytes = Buffer.from(good)
    const at = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 30
    bytes.writeUInt32LE(1, at)
    await expect(readTable(bytes, file)).rejects.toMatchObject({ code: 'broken_xlsx' })
  })

  it('when a part unpacks to more than it may, whatever the file says of its size', async () => {
    const bomb = openZip('bomb.xlsx', zipFile({ a: Buffer.alloc(8 * 1024 * 1024) }))
    let bytes = 0
    const unpack = async () => {
      for await (const chunk of bomb.open('a', 1024 * 1024)) bytes += chunk.length
    }
    await expect(unpack()).rejects.toMatchObject({ code: 'xlsx_too_large' })
    expect(bytes).toBeLessThanOrEqual(1024 * 1024)
  })

  it('when one of its texts is longer than any cell', async () => {
    const bytes = xlsxFile({ sheets: { S: textRow(1, 'x'.repeat(3 * 1024 * 1024)) } })
    await expect(readTable(bytes, file)).rejects.toMatchObject({ code: 'broken_xlsx' })
  })

  it('with flags that say nothing of it, as is a sheet of a file that has none', async () => {
    await expect(readTable(good, { ...file, delimiter: ';' })).rejects.toMatchObject({
      code: 'bad_flag',
    })
    await expect(readTable('id\n1\n', { sheet: 'S' })).rejects.toMatchObject({ code: 'bad_flag' })
  })
})
