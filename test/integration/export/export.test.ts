import * as fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countValues,
  missingValues,
  storeValueFailures,
  storeValues,
} from '../../../src/db/item-values.repo.ts'
import { rememberingItems } from '../../../src/db/items.repo.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())

const NOTHING_FOUND = ',,,,new,,,,,,,,'
const judged = (externalId: string, qid: string) =>
  ({
    line: 2,
    externalId,
    verdict: 'match',
    qid,
    by: 'me',
    at: new Date('2026-11-27T10:00:00Z'),
    note: 'sure',
    matchHash: null,
  }) as const

const idsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line[0])

it('case 6: hostile characters come out as they went in', async () => {
  const names = [
    'Tag (28. Tag 1932 : 1932 : Jena)',
    'Friedrich ("kön',
    String.raw`back\slash \N \.`,
    '& + %2B % \t tab',
    'two\nlines\r\nand more',
    "'; drop table entry; --",
    '\u2028 \u200b \ufeff 😀',
  ]
  const text = stringify([['id', 'name'], ...names.map((name, index) => [String(index), name])])
  const { datasetId } = await bench.import('hostile', text)
  const exported = await bench.export(await bench.project(datasetId))
  const lines = text.replace(/\n$/, '').split(/\n(?=\d,)/)
  expect(exported).toBe(
    [
      `${lines[0]},match_qid,match_label,match_description,match_status,match_by,match_at,match_score,match_margin,match_runner_up,match_rule,match_reason,match_error`,
      ...lines.slice(1).map((line) => line + NOTHING_FOUND),
      '',
    ].join('\n'),
  )
})

it('any table of strings comes out byte for byte', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'))
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 })
  let round = 0
  await fc.assert(
    fc.asyncProperty(table, fc.boolean(), async (rows, quoted) => {
      round += 1
      const header = 'id,a,b\n'
      const lines = rows.map((row, index) => stringify([[String(index), ...row]], { quoted }))
      const { datasetId } = await bench.import(`table ${round}`, header + lines.join(''))
      const exported = await bench.export(await bench.project(datasetId, { name: 'a' }))
      const expected = lines.map((line) => `${line.replace(/\n$/, '')}${NOTHING_FOUND}\n`)
      expect(exported.slice(exported.indexOf('\n') + 1)).toBe(expected.join(''))
    }),
    { numRuns: 25 },
  )
})

describe('an export', () => {
  it('has every record of the file in its order, and the absent ones when asked', async () => {
    await bench.import('absent', 'id,name\n1,A\n2,B\n3,C\n')
    const { datasetId } = await bench.import('absent', 'id,name\n3,C\n1,A\n')
    const project = await bench.project(datasetId)
    expect(idsOf(await bench.export(project))).toEqual(['3', '1'])
    expect(idsOf(await bench.export(project, { includeAbsent: true }))).toEqual(['3', '1', '2'])
  })

  it('shows judgments and labels, and only the records asked for', async () => {
    const { datasetId } = await bench.import('labels', 'id,name\n1,A\n2,B\n')
    const project = await bench.project(datasetId)
    await appendJudgments(bench.db, project.id, [judged('2', 'Q7')])
    const seen = { id: 'Q7', label: 'Bee, "B"', description: 'letter', types: [] }
    await rememberingItems('sample', [seen]).execute(bench.db)
    const exported = await bench.export(project, { statuses: ['matched'] })
    expect(exported.split('\n').slice(1)).toEqual([
      '2,B,Q7,"Bee, ""B""",letter,matched,me,2026-11-27T10:00:00.000Z,,,,judgment,sure,',
      '',
    ])
  })

  it('adds what is known of the matched items, and their names where they are items', async () => {
    const { datasetId } = await bench.import('held', 'id,name\n1,A\n2,B\n3,C\n')
    const project = await bench.project(datasetId)
    await appendJudgments(bench.db, project.id, [judged('1', 'Q7'), judged('2', 'Q8')])
    const properties = ['P569', 'P19', 'Len']
    const question = { projectId: project.id, service: 'sample', properties }
    expect(await countValues(bench.db, question)).toMatchObject({ items: 2, missing: 2, failed: 0 })
    await storeValues(bench.db, 'sample', [
      {
        id: 'Q7',
        held: { P569: ['1877', '1878'], P19: [{ id: 'Q64', name: 'Berlin' }, { id: 'Q1' }] },
      },
    ])
    const table = await bench.export(project, { properties })
    const ends = table.split('\n').map((line) => line.split(',').slice(-4).join(','))
    expect(ends.slice(0, 4)).toEqual([
      'match_P569,match_P19,match_P19_label,match_Len',
      '1877|1878,Q64|Q1,Berlin|Q1,',
      ',,,',
      ',,,',
    ])
    const objects = await bench.export(project, { properties, format: 'jsonl' })
    const [first = '', , third = ''] = objects.split('\n')
    expect(JSON.parse(first)).toMatchObject({
      match_P569: ['1877', '1878'],
      match_P19: [{ id: 'Q64', name: 'Berlin' }, { id: 'Q1' }],
      match_Len: null,
    })
    expect(JSON.parse(third)).toMatchObject({ match_P569: null })
    expect((await missingValues(bench.db, question, 'x', 9))[0]).toEqual({
      id: 'Q7',
      properties: ['Len'],
    })
    // Something failed of Q7, and nobody asked for the rest: it is still one item.
    const failure = { id: 'Q7', properties: ['Len'], code: 'x', message: 'x', isFinal: false }
    await storeValueFailures(bench.db, 'sample', 'x', [failure])
    const wider = { ...question, properties: [...properties, 'P18'] }
    expect(await countValues(bench.db, wider)).toMatchObject({ items: 2, known: 0, failed: 1 })
    expect(await countValues(bench.db, { ...question, properties: ['P19'] })).toMatchObject({
      known: 1,
    })
  })

  it('case 31: writes names of images as addresses in a width that is served, and all else as it is', async () => {
    const { datasetId } = await bench.import('pictures', 'id,name\n1,A\n')
    const project = await bench.project(datasetId)
    await appendJudgments(bench.db, project.id, [judged('1', 'Q9')])
    const P18 = ['A & B #1?.jpg', 'https://museum.example/a.jpg']
    await storeValues(bench.db, 'sample', [{ id: 'Q9', held: { P18, Len: ['A.jpg'] } }])
    const request = { properties: ['P18', 'Len'], format: 'jsonl' } as const
    const written = async (more: object = {}) =>
      JSON.parse(await bench.export(project, { ...request, ...more })) as unknown
    expect(await written()).toMatchObject({ match_P18: P18 })
    const address =
      'https://commons.wikimedia.org/wiki/Special:FilePath/A_%26_B_%231%3F.jpg?width=960'
    expect(await written({ imageWidthPx: 600 })).toMatchObject({
      match_P18: [address, 'https://museum.example/a.jpg'],
      match_Len: ['A.jpg'],
    })
    const table = await bench.export(project, { properties: ['P18'], imageWidthPx: 600 })
    expect(table).toContain(`,${address}|https://museum.example/a.jpg\n`)
  })

  it('is refused when a column of the file has the name of an added one', async () => {
    const { datasetId } = await bench.import('collision', 'id,name,match_qid\n1,A,Q1\n')
    const project = await bench.project(datasetId)
    await expect(bench.export(project)).rejects.toMatchObject({
      code: 'column_collision',
      hint: expect.stringContaining('--prefix new_'),
    })
    expect(await bench.export(project, { prefix: 'new_' })).toContain('match_qid,new_qid,')
  })

  it('of an appended file with other delimiters has one form', async () => {
    await bench.import('forms', 'id,name\n"1",A\n')
    const { datasetId } = await bench.import('forms', 'id;name\n"2";"B, C"\n', { append: true })
    const exported = await bench.export(await bench.project(datasetId))
    expect(exported.split('\n').slice(1)).toEqual([
      `"1",A${NOTHING_FOUND}`,
      `2,"B, C"${NOTHING_FOUND}`,
      '',
    ])
  })

  it('of a JSONL file adds fields to its objects, or columns to its cells', async () => {
    const { datasetId } = await bench.import('objects', '{ "id": 1.0, "name": "A" }\n{"id":2}\n')
    const project = await bench.project(datasetId)
    const [first, second] = (await bench.export(project, { format: 'jsonl' })).split('\n')
    expect(first?.startsWith('{ "id": 1.0, "name": "A","match_qid":null,')).toBe(true)
    expect(JSON.parse(second ?? '')).toMatchObject({ id: 2, match_status: 'new' })
    expect((await bench.export(project)).split('\n')[2]).toBe(`2,${NOTHING_FOUND}`)
  })
})
