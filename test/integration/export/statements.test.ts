import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exportStatements } from '../../../src/client/quickstatements/export-statements.ts'
import { runStatements } from '../../../src/client/quickstatements/run-statements.ts'
import { storeItemStates } from '../../../src/db/item-states.repo.ts'
import { appendJudgments, type IncomingJudgment } from '../../../src/db/judgments.repo.ts'
import { findProject, type Project } from '../../../src/db/projects.repo.ts'
import { rememberService } from '../../../src/db/services.repo.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

let bench: ImportBench
let project: Project
let dataset: string
let round = 0
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())

const RECORDS = `id,name,viaf,born
1,Ann,https://viaf.org/viaf/11,1877
2,Bee,22,unknown
3,Cee,33,1900-01-02
4,Dee,44,
5,Dee,55,1901
6,,66,1902
7,Eve,77,
8,Ann,11,
`

const judgment = (externalId: string, qid: string | null): IncomingJudgment => ({
  line: 2,
  externalId,
  verdict: qid === null ? 'not_in_wikidata' : 'match',
  qid,
  by: 'me',
  at: null,
  note: null,
  matchHash: null,
})

beforeEach(async () => {
  dataset = `statements ${++round}`
  const { datasetId } = await bench.import(dataset, RECORDS)
  project = await bench.project(datasetId)
  await decideRecord(bench.db, project.id, '3', 'matched', [scoredCandidate('Q3')])
  await decideRecord(bench.db, project.id, '7', 'review', [scoredCandidate('Q7')])
  await appendJudgments(bench.db, project.id, [
    judgment('1', 'Q1'),
    judgment('2', 'Q2'),
    judgment('4', null),
    judgment('5', null),
    judgment('6', null),
    judgment('8', 'Q1'),
  ])
})

const request = {
  statements: ['P214=viaf', 'P569=born'],
  sources: ['P248=Q54919'],
  includeAutomatic: false,
  createNew: false,
  includeAbsent: false,
}
const made = (changes: Partial<typeof request> = {}) =>
  exportStatements(bench.db, project, { ...request, ...changes })

describe('statements', () => {
  it('are those of judged matches, each once; what is left out is counted', async () => {
    expect(await made()).toMatchObject({
      lines: [
        'Q1\tP214\t"11"\tS248\tQ54919',
        'Q1\tP569\t+1877-00-00T00:00:00Z/9\tS248\tQ54919',
        'Q2\tP214\t"22"\tS248\tQ54919',
      ],
      statements: 3,
      items: 2,
      newItems: 0,
      faults: [{ record: '2', property: 'P569', column: 'born' }],
      automatic: 1,
      newLeftOut: 3,
      others: 1,
      empty: 0,
    })
  })

  it('of automatic matches are added when asked', async () => {
    const { lines, automatic } = await made({ includeAutomatic: true })
    expect(lines).toContain('Q3\tP569\t+1900-01-02T00:00:00Z/11\tS248\tQ54919')
    expect(automatic).toBe(0)
  })

  it('go to the item that an automatic match has become part of, and to none that is gone', async () => {
    const service = project.settings.service
    const since = new Date().toISOString()
    const all = async () =>
      (await made({ includeAutomatic: true })).lines.filter((line) => /\t"33"/.test(line))
    await storeItemStates(bench.db, service, since, [{ id: 'Q3', state: 'merged', into: 'Q33' }])
    expect(await all()).toEqual(['Q33\tP214\t"33"\tS248\tQ54919'])
    await storeItemStates(bench.db, service, since, [{ id: 'Q3', state: 'missing' }])
    expect(await all()).toEqual([])
    expect((await made({ includeAutomatic: true })).faults).toContainEqual(
      expect.objectContaining({ record: '3', reason: 'its item is no longer there' }),
    )
    await storeItemStates(bench.db, service, since, [{ id: 'Q3', state: 'present' }])
  })

  it('make new items when asked, of records with a name', async () => {
    const { lines, newItems, sameNames, faults } = await made({ createNew: true })
    expect(lines.slice(-7)).toEqual([
      'CREATE',
      'LAST\tLen\t"Dee"',
      'LAST\tP214\t"44"\tS248\tQ54919',
      'CREATE',
      'LAST\tLen\t"Dee"',
      'LAST\tP214\t"55"\tS248\tQ54919',
      'LAST\tP569\t+1901-00-00T00:00:00Z/9\tS248\tQ54919',
    ])
    expect({ newItems, sameNames }).toEqual({ newItems: 2, sameNames: 1 })
    expect(faults).toContainEqual(expect.objectContaining({ record: '6', property: 'label' }))
  })

  it('are not made of cells that changed since the match was judged', async () => {
    await bench.import(dataset, RECORDS.replace('2,Bee,22', '2,Beatrice,99'))
    const fresh = await findProject(bench.db, project.id)
    await bench.export(fresh ?? project, { format: 'review-csv' })
    const { lines, faults } = await made()
    expect(lines.filter((line) => line.startsWith('Q2'))).toEqual([])
    expect(faults).toMatchObject([{ record: '2', property: null }])
  })

  it('of days before the Gregorian calendar are counted: they may be of another one', async () => {
    const days = ['1582-10-14', '1582-10-15', '-0044-03-15', '1500']
    const lines = days.map((day, index) => `${index},N,1${index},${day}`)
    const { datasetId } = await bench.import(
      `old ${dataset}`,
      `id,name,viaf,born\n${lines.join('\n')}\n`,
    )
    project = await bench.project(datasetId)
    await appendJudgments(
      bench.db,
      project.id,
      days.map((_, index) => judgment(String(index), `Q${index + 1}`)),
    )
    expect(await made()).toMatchObject({ statements: 8, oldDates: 2, faults: [] })
  })

  it('need something to state', async () => {
    await expect(made({ statements: [] })).rejects.toMatchObject({ code: 'nothing_to_state' })
  })

  it('are refused where the items are not those of Wikidata', async () => {
    const service = `https://factgrid.example/${round}`
    project = { ...project, settings: { ...project.settings, service } }
    const facts = { viewUrl: null, schemaSpace: 'x' }
    await rememberService(bench.db, service, {
      ...facts,
      identifierSpace: 'https://factgrid.example/entity/',
    })
    const sink = { write: async () => {}, finish: async () => {}, discard: async () => {} }
    await expect(runStatements(bench.db, project, request, sink, null)).rejects.toMatchObject({
      code: 'not_wikidata',
    })
  })
})
