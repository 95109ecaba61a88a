import { describe, expect, it } from 'vitest'
import { targetOf } from '../../../../src/client/export/export-target.ts'
import { formatOfEnding } from '../../../../src/client/export/format-of-ending.ts'

const flags = { project: 1, only: [], prefix: 'match_', with: [], statement: [], source: [] }

describe('the format of an export', () => {
  it.each([
    ['out.jsonl', 'jsonl'],
    ['out.NDJSON', 'jsonl'],
    ['deep/out.json', 'json'],
    ['out.csv', 'csv'],
    ['out.tsv', 'csv'],
    ['out.txt', 'csv'],
    ['out', 'csv'],
    ['shops.2026', 'csv'],
    ['folder.xlsx/out', 'csv'],
  ])('is the one %s ends with where none is said', (output, format) => {
    expect(targetOf({ ...flags, output })).toEqual({ format, path: output })
  })
  it('is the one that is said, whatever the file is called', () => {
    expect(targetOf({ ...flags, output: 'out.xlsx', format: 'csv' }).format).toBe('csv')
    expect(targetOf({ ...flags, output: 'out.json', format: 'review-csv' }).format).toBe(
      'review-csv',
    )
  })
  it.each(['out.xlsx', 'out.ods', 'out.parquet', 'out.csv.gz', 'out.db'])(
    'is refused for %s, with what can be had',
    (output) => {
      const attempt = () => targetOf({ ...flags, output })
      expect(attempt).toThrow(expect.objectContaining({ code: 'no_such_format' }))
      expect(attempt).toThrow(/expected csv, jsonl, json/)
    },
  )
  it('names the flag that says it, and the ending that would', () => {
    expect(() => formatOfEnding('a/out.xlsx', ['csv', 'jsonl'], '--format')).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/such as a\/out\.csv, or .*: --format csv\|jsonl\..*--excel/),
      }),
    )
    expect(() => formatOfEnding('curve.png', ['svg'])).toThrow(
      expect.objectContaining({ hint: 'Use another ending, such as curve.svg.' }),
    )
  })
})
