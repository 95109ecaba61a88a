import { expect, it } from 'vitest'
import { changedMark, latestOf, type ReadRun } from '../../../../src/core/extract/changed-mark.ts'

const read = (since: string | null, firstPage: readonly string[], later: readonly string[]) =>
  ({ since, firstPage, values: [...firstPage, ...later] }) satisfies ReadRun

it.each<[string, ReadRun, ReadRun | null, string | null]>([
  ['the newest of the first page of the only run', read(null, ['3', '10'], ['99']), null, '10'],
  ['the newest of the run before', read(null, ['3'], ['99']), read(null, ['2'], ['20']), '20'],
  ['what the last run asked from, where that is later', read('50', [], []), null, '50'],
  ['nothing, where all may have been seen too late', read(null, [], ['99']), null, null],
])('the mark is %s', (_, last, before, mark) => {
  expect(changedMark(last, before)).toBe(mark)
})

it('times are compared as times and numbers as numbers, and kept as they were written', () => {
  expect(latestOf(['2026-01-02T00:30:00+02:00', '2026-01-01T23:00:00Z'])).toBe(
    '2026-01-01T23:00:00Z',
  )
  expect(latestOf(['9', '10', '1.5'])).toBe('10')
  expect(latestOf(['yesterday', 'Item 5', ''])).toBeNull()
})
