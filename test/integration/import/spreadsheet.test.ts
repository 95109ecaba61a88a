import { expect, it, onTestFinished } from 'vitest'
import { createImportBench } from '../../support/import-bench.ts'
import { textRow, xlsxFile } from '../../support/xlsx-file.ts'

it('a spreadsheet is imported, imported again and exported as CSV', async () => {
  const bench = await createImportBench()
  onTestFinished(bench.close)
  const header = textRow(1, 'id', 'name', 'born')
  const born = '<c s="0"><v>17092</v></c></row>'
  const row = (line: number, ...texts: readonly string[]) =>
    textRow(line, ...texts).replace('</row>', born)
  const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
  const sheet = (...rows: readonly string[]) =>
    xlsxFile({ sheets: { Artists: header + rows.join('') }, styles })

  const first = await bench.import('artists', sheet(row(2, '1', 'A, B'), row(3, '2', 'C')))
  expect(first).toMatchObject({ lines: 2, new: 2, rejected: 0 })
  const project = await bench.project(first.datasetId)
  const again = await bench.import(
    'artists',
    sheet(row(2, '1', 'A, B'), row(3, '2', 'D'), row(4, '3', 'E'), row(5, '3', 'F')),
  )
  expect(again).toMatchObject({ new: 1, changed: 1, unchanged: 1, absent: 0, rejected: 1 })
  expect(await bench.rejected()).toContain('5,"has the id ""3"" of line 4"')
  expect((await bench.export(project)).split('\n').map((line) => line.slice(0, 21))).toEqual([
    'id,name,born,match_qi',
    '1,"A, B",1946-10-17,,',
    '2,D,1946-10-17,,,,new',
    '3,E,1946-10-17,,,,new',
    '',
  ])
})
