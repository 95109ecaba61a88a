import * as fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, it } from 'vitest'
import { csvLine } from '../../../src/tabular/write-csv.ts'
import { readTable } from './read-table.ts'

describe('cells of a CSV file', () => {
  it('case 4: numbers stay text', async () => {
    const { cells } = await readTable('a,b,c,d,e\n007804,12,5E1,1919-01-01,1.10\n')
    expect(cells).toEqual([{ a: '007804', b: '12', c: '5E1', d: '1919-01-01', e: '1.10' }])
  })

  it('case 5: a very long name is read whole', async () => {
    const names = ['x'.repeat(251), '𝔘'.repeat(301), 'y'.repeat(3_000_000)]
    const { cells } = await readTable(`name\n${names.join('\n')}\n`, { pieceBytes: 10_007 })
    expect(cells.map((cell) => cell['name'])).toEqual(names)
  })

  it('case 6: hostile characters are data', async () => {
    const hostile = [
      'Tag (28. Tag 1932 : 1932 : Jena)',
      'Friedrich ("kön',
      String.raw`back\slash \n`,
      '& + %2B %',
      'two\nlines',
      'carriage\rreturn',
      'haswbstatement:P31=Q5',
      '<script>alert(1)</script>',
      '=cmd|calc',
    ]
    const { cells } = await readTable(stringify([['name'], ...hostile.map((name) => [name])]))
    expect(cells.map((cell) => cell['name'])).toEqual(hostile)
  })

  it('case 6: a line with a NUL is rejected, its neighbours are not', async () => {
    const { cells, rejected } = await readTable('name\nA\nB\0b\nC\n')
    expect(cells.map((cell) => cell['name'])).toEqual(['A', 'C'])
    expect(rejected).toEqual([{ line: 3, raw: 'B\0b', reason: expect.stringContaining('NUL') }])
  })

  it('a quote inside an unquoted cell is an ordinary character', async () => {
    const { records } = await readTable('name,size\nMonitor 24",big\n5\'10",tall\n')
    expect(records.map((record) => record.cells['name'])).toEqual(['Monitor 24"', '5\'10"'])
    expect(records[0]?.raw).toBe('Monitor 24",big')
  })

  it('without quotes, quotes are ordinary characters everywhere', async () => {
    const { cells } = await readTable('name\tx\n"Big" Bill\t1\n"open\t2\n', { quote: null })
    expect(cells.map((cell) => cell['name'])).toEqual(['"Big" Bill', '"open'])
  })

  it('any table of strings comes back as it was, and its lines byte for byte', async () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width })))
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (table, pieceBytes) => {
        const width = table[0]?.length ?? 1
        const header = Array.from({ length: width }, (_, index) => `c${index}`)
        // A row of one blank cell is a blank line, which every reader leaves out.
        const kept = table.filter((row) => row.length > 1 || row[0] !== '')
        const lines = kept.map((row) => stringify([row]))
        const text = stringify([header]) + lines.join('')
        const { records } = await readTable(text, { delimiter: ',', pieceBytes })
        expect(records.map((record) => header.map((name) => record.cells[name]))).toEqual(kept)
        const written = records.map(
          ({ cells, raw }) =>
            raw ??
            csvLine(
              header.map((name) => cells[name] ?? ''),
              COMMA,
            ),
        )
        expect(written.map((line) => `${line}\n`)).toEqual(lines)
      }),
      { numRuns: 200 },
    )
  })
})

it('reads a text in any pieces the same way, faults included', async () => {
  const messy = fc
    .array(fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r', ' ', 'é'), { maxLength: 60 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(messy, fc.integer({ min: 1, max: 7 }), async (text, pieceBytes) => {
      const whole = await readTable(`x,y\n${text}`, { delimiter: ',' })
      const pieces = await readTable(`x,y\n${text}`, { delimiter: ',', pieceBytes })
      expect(pieces.records).toEqual(whole.records)
      expect(pieces.rejected).toEqual(whole.rejected)
    }),
    { numRuns: 300 },
  )
})

const COMMA = { delimiter: ',', quote: '"' }

describe('lines that are wrong', () => {
  it('a line with too many or too few cells is rejected', async () => {
    const { rejected, cells } = await readTable('id,name\n1,A\n2\n3,C,more\n4,D\n')
    expect(cells.map((cell) => cell['id'])).toEqual(['1', '4'])
    expect(rejected).toEqual([
      { line: 3, raw: '2', reason: 'has 1 of 2 cells' },
      { line: 4, raw: '3,C,more', reason: 'has 3 of 2 cells' },
    ])
  })

  it('a quote that is never closed costs its line only', async () => {
    const { rejected, cells } = await readTable('id,name\n1,A\n2,"B\n3,C\n4,D\n')
    expect(cells.map((cell) => cell['id'])).toEqual(['1', '3', '4'])
    expect(rejected).toEqual([
      { line: 3, raw: '2,"B', reason: 'has a quote that opens in column 2 and is never closed' },
    ])
  })

  it('a quote that closes in a later line costs its line only', async () => {
    const { rejected, cells } = await readTable('id,name\n1,"A\n2,B\n3,"C"\n4,D\n')
    expect(cells.map((cell) => cell['id'])).toEqual(['2', '3', '4'])
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'has text after the closing quote of column 2'],
    ])
  })

  it('lines are counted through cells with line breaks', async () => {
    const { records, rejected } = await readTable('id,name\r\n1,"A\r\nB\nC"\r\n\r\n2\r\n3,D\r\n')
    expect(records.map((record) => record.line)).toEqual([2, 7])
    expect(rejected.map((line) => line.line)).toEqual([6])
  })
})

describe('the header', () => {
  it('repeated and blank names are made different, and that is said', async () => {
    const { table } = await readTable('name, id ,name,,name_2\nA,1,B,x,y\n')
    expect(table.columns).toEqual(['name', 'id', 'name_3', 'column_4', 'name_2'])
    expect(table.notes).toHaveLength(2)
    expect(table.format).toMatchObject({ header: 'name, id ,name,,name_2' })
  })

  it('a column may be called like a property of every object', async () => {
    const { cells } = await readTable('__proto__,constructor\na,b\n')
    expect(Object.entries(cells[0] ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
  })

  it('an empty file is refused, a header without records is a table', async () => {
    await expect(readTable('')).rejects.toMatchObject({ code: 'empty_file' })
    await expect(readTable('\ufeff\n\n')).rejects.toMatchObject({ code: 'empty_file' })
    expect((await readTable('id,name\n')).records).toEqual([])
  })

  it('a JSON list is refused with what to do', async () => {
    await expect(readTable('[{"a":1}]', { name: 'a.json' })).rejects.toMatchObject({
      code: 'json_array',
      hint: expect.stringContaining('jq'),
    })
  })
})
