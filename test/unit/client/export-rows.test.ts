import { describe, expect, it } from 'vitest'
import { matchColumns } from '../../../src/client/export/added-columns.ts'
import { csvRows } from '../../../src/client/export/csv-rows.ts'
import { defuseFormula } from '../../../src/client/export/defuse-formula.ts'
import { jsonlRows, jsonRows } from '../../../src/client/export/json-rows.ts'
import type { CsvFormat } from '../../../src/core/table-format.ts'
import { entryResult as result } from '../../support/entry-results.ts'

const csv: CsvFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ';',
  quote: '"',
  lineEnding: '\r\n',
  header: '"id";name',
}
const dataset = { columns: ['id', 'name'], format: csv }
const jsonl = { kind: 'jsonl', encoding: 'utf-8', lineEnding: '\n' } as const

const MATCH =
  'Q42;"Say ""hi""";;matched;record-linker;2026-11-27T10:00:00.000Z;87.5;12;;score-and-lead;clear lead;'

describe('CSV', () => {
  it('is written as the imported file was, with the header as it stood', () => {
    const rows = csvRows(dataset, matchColumns('match_'), false)
    expect(rows.head).toBe(
      '"id";name;match_qid;match_label;match_description;match_status;match_by;match_at;match_score;match_margin;match_runner_up;match_rule;match_reason;match_error\r\n',
    )
    expect(rows.row(result(), true)).toBe(`1;"A;B";${MATCH}\r\n`)
    expect(rows.row(result({ raw: '"1";"A;B"' }), false)).toBe(`"1";"A;B";${MATCH}\r\n`)
  })

  it('the line of an absent record is not repeated: its columns may have been others', () => {
    const absent = result({ raw: 'old;line;here', absentSince: new Date() })
    expect(csvRows(dataset, matchColumns(''), false).row(absent, true)).toBe(`1;"A;B";${MATCH}\r\n`)
  })

  it('for spreadsheets it has a byte order mark and no formula', () => {
    const rows = csvRows(dataset, matchColumns('match_'), true)
    expect(rows.head.startsWith('\ufeff"id";name;')).toBe(true)
    const risky = result({ source: { id: '-5', name: '=cmd|calc' }, raw: '"-5";"=cmd|calc"' })
    expect(rows.row(risky, true)).toMatch(/^-5;'=cmd\|calc;/)
    expect(rows.row(result({ raw: '"1";"A;B"' }), true)).toMatch(/^"1";"A;B";/)
  })

  it('a file without quotes gets no cell that would need them', () => {
    const plain = csvRows({ ...dataset, format: { ...csv, quote: null } }, matchColumns(''), false)
    const cells = plain.row(result({ source: { id: '1', name: 'A' }, reason: 'a;b\nc' }), true)
    expect(cells).toContain(';a b c;')
  })

  it('an error is told with its code', () => {
    const failed = result({ status: 'failed', errorCode: 'timeout', errorMessage: 'no answer' })
    expect(csvRows(dataset, matchColumns(''), false).row(failed, true)).toMatch(
      /;timeout: no answer\r\n$/,
    )
  })
})

describe('JSONL', () => {
  it('the imported object stands as it was, the fields follow', () => {
    const rows = jsonlRows({ columns: ['n'], format: jsonl }, 'match_')
    const text = rows.row(result({ source: { n: '1.0' }, raw: '{ "n": 1.0 } ' }), true)
    expect(text.startsWith('{ "n": 1.0,"match_qid":"Q42",')).toBe(true)
    expect(JSON.parse(text)).toMatchObject({ n: 1, match_score: 87.5, match_runner_up: null })
    expect(JSON.parse(rows.row(result({ raw: '{}' }), true))).toHaveProperty('match_status')
  })

  it('records of a CSV file become objects in column order, as a list too', () => {
    const rows = jsonRows(dataset, 'm_')
    const text = `${rows.head}${rows.row(result(), true)}${rows.row(result(), false)}${rows.tail}`
    expect(JSON.parse(text)).toHaveLength(2)
    expect(jsonlRows(dataset, 'm_').row(result(), true)).toMatch(/^\{"id":"1","name":"A;B","m_qid"/)
    expect(JSON.parse(rows.head + rows.tail)).toEqual([])
  })
})

it.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-x', "'-x"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['-73.98', '-73.98'],
  ['+1', '+1'],
  ['a=1', 'a=1'],
  ['', ''],
])('%j is written %j for a spreadsheet', (cell, safe) => expect(defuseFormula(cell)).toBe(safe))
