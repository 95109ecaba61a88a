import { expect, it } from 'vitest'
import { applyMapping } from '../../../src/client/mapping/apply-mapping.ts'
import { openRefineColumns } from '../../../src/client/export/openrefine-columns.ts'
import { openRefineOperations } from '../../../src/client/export/openrefine-operations.ts'
import { csvRows } from '../../../src/client/export/csv-rows.ts'
import { entryResult } from '../../support/entry-results.ts'

const settings = { ...applyMapping({ name: '{first} {last}' }, null), service: 'wikidata' }
const source = { first: 'Ann', last: 'Bee' }
const columns = openRefineColumns('match_', settings)

it('a row for OpenRefine is the line of the file, its name and how it stands', () => {
  const format = {
    kind: 'csv',
    encoding: 'utf-8',
    delimiter: '\t',
    quote: '"',
    lineEnding: '\n',
    header: 'first\tlast',
  } as const
  const rows = csvRows({ columns: ['first', 'last'], format }, columns, false)
  expect(rows.head).toBe(
    'first\tlast\tmatch_name\tmatch_qid\tmatch_label\tmatch_description\tmatch_judgment\tmatch_score\n',
  )
  expect(rows.row(entryResult({ source, raw: '"Ann"\tBee', label: 'A.' }), true)).toBe(
    '"Ann"\tBee\tAnn Bee\tQ42\tA.\t\tmatched\t87.5\n',
  )
})

it.each([
  ['matched', 'Q1', 'matched'],
  ['not_in_wikidata', null, 'new'],
  ['review', null, 'none'],
  ['none_fits', null, 'none'],
  ['not_applicable', null, 'none'],
  ['new', null, 'none'],
] as const)('a record that is %s is %s for OpenRefine', (status, qid, judgment) => {
  expect(columns.values(entryResult({ source, status, qid }))[4]).toBe(judgment)
})

it('the operations declare the ids, show the names, then mark the new ones', () => {
  const service = { url: 'http://s', identifierSpace: 'http://i/', schemaSpace: 'http://p/' }
  const operations = openRefineOperations('m"_', service)
  expect(operations).toMatchObject([
    { op: 'core/recon-use-values-as-identifiers', columnName: 'm"_qid', service: 'http://s' },
    {
      op: 'core/text-transform',
      columnName: 'm"_qid',
      expression: 'grel:cells["m\\"_name"].value',
    },
    {
      op: 'core/recon-mark-new-topics',
      shareNewTopics: false,
      engineConfig: { facets: [{ columnName: 'm"_judgment', selection: [{ v: { v: 'new' } }] }] },
    },
    { op: 'core/column-rename', oldColumnName: 'm"_qid', newColumnName: 'm"_item' },
  ])
})
