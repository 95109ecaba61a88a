import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importJudgments } from '../../../src/client/judgments/import-judgments.ts'
import type { Project } from '../../../src/db/projects.repo.ts'
import { readResults } from '../../../src/db/results.repo.ts'
import { textSource } from '../../../src/tabular/byte-source.ts'
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

const RECORDS = 'id,name\n007,Ann\n008,=Bee\n009,"Cee; ""C"""\n010,Dee\n011,Eve\n012,Fay\n'
beforeEach(async () => {
  dataset = `review ${++round}`
  const { datasetId } = await bench.import(dataset, RECORDS)
  project = await bench.project(datasetId)
  for (const id of ['007', '008', '009', '010', '011']) {
    const candidates = ['Q1', 'Q2', 'Q3', 'Q4'].map((qid) => scoredCandidate(qid))
    await decideRecord(bench.db, project.id, id, 'review', candidates)
  }
})

type Row = Record<string, string>

const exported = async (request: Parameters<ImportBench['export']>[1] = {}) => {
  const text = await bench.export(project, { format: 'review-csv', ...request })
  return { text, rows: parse<Row>(text, { columns: true, bom: true }) }
}

/** As a spreadsheet in half of Europe saves it: other separator, byte order mark, CRLF, numbers as numbers. */
function saved(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const numeric = (cell: string) => (/^0\d+$/.test(cell) ? String(Number(cell)) : cell)
  const cell = (text: string) => (/[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = rows.map((row) => columns.map((column) => cell(numeric(row[column] ?? ''))))
  return `\ufeff${[columns, ...lines].map((line) => `${line.join(';')}\r\n`).join('')}`
}

const judge = (text: string) =>
  importJudgments(bench.db, project, textSource('review.csv', text), {}, null)

const decide = (rows: readonly Row[], decisions: readonly string[], note = '') =>
  rows.map((row, index) => ({ ...row, decision: decisions[index] ?? '', decision_note: note }))

async function standing(): Promise<readonly string[]> {
  const lines: string[] = []
  const { id, datasetId } = project
  const question = { projectId: id, datasetId, service: 'sample', statuses: [] as string[] }
  await readResults(bench.db, { ...question, includeAbsent: false }, async (page) => {
    lines.push(...page.map(({ externalId, status, qid }) => `${externalId} ${status} ${qid ?? ''}`))
  })
  return lines
}

describe('a review file', () => {
  it('comes back from a spreadsheet: what was decided is judged, the rest is not', async () => {
    const { rows } = await exported({ excel: true })
    expect(rows).toHaveLength(6)
    expect(rows[0]).toMatchObject({ id: '007', match_1_qid: 'Q1', match_3_qid: 'Q3', decision: '' })
    expect(rows[1]?.['name']).toBe("'=Bee")
    const decisions = ['2', 'https://www.wikidata.org/wiki/Q42', 'none', 'Not in Wikidata', '']
    const file = saved(decide(rows, decisions, 'seen'))
    expect(file).toContain('\r\n7;Ann;')
    expect(await judge(file)).toMatchObject({
      lines: 6,
      written: 4,
      undecided: 2,
      unchanged: 0,
      rejected: 0,
    })
    expect(await standing()).toEqual([
      '007 matched Q2',
      '008 matched Q42',
      '009 none_fits ',
      '010 not_in_wikidata ',
      '011 review ',
      '012 new ',
    ])
    expect(await judge(file)).toMatchObject({ written: 0, unchanged: 4, undecided: 2 })
  })

  it('gives a judged item no score that a run computed of another', async () => {
    const { rows } = await exported()
    await judge(saved(decide(rows, ['1', '2', 'none'])))
    const table = parse<Row>(await bench.export(project), { columns: true })
    expect(table.map((row) => `${row['match_qid']} ${row['match_score']}`)).toEqual([
      'Q1 60',
      'Q2 ',
      ' ',
      ' 60',
      ' 60',
      ' ',
    ])
  })

  it('has the lines of the imported file as they were', async () => {
    const { text } = await exported({ statuses: ['review'] })
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(6)
    expect(lines[3]?.startsWith('009,"Cee; ""C""",review,')).toBe(true)
  })

  it('on records that changed meanwhile is refused for these, and kept for the others', async () => {
    const { rows } = await exported()
    await bench.import(dataset, RECORDS.replace('Ann', 'Anna'))
    const report = await judge(saved(decide(rows, ['1', '1'])))
    expect(report).toMatchObject({ written: 1, rejected: 1, changed: 1, undecided: 4 })
    expect((await standing()).slice(0, 2)).toEqual(['007 review ', '008 matched Q1'])
  })

  it('on candidates that are others now is refused where it meant them', async () => {
    const { rows } = await exported()
    for (const id of ['007', '008', '009', '010']) {
      await decideRecord(bench.db, project.id, id, 'review', [scoredCandidate('Q2')])
    }
    const report = await judge(saved(decide(rows, ['1', 'none', 'Q1', 'not applicable'])))
    expect(report).toMatchObject({ written: 2, rejected: 2 })
    expect((await standing()).slice(0, 4)).toEqual([
      '007 review ',
      '008 review ',
      '009 matched Q1',
      '010 not_applicable ',
    ])
  })

  it('keeps its good rows when others cannot be read', async () => {
    const { rows } = await exported()
    const bad = decide(rows, ['1', 'yes', '4', '1', '1', '1']).map((row, index) => {
      if (index === 3) return { ...row, match_key: '' }
      return index === 4 ? { ...row, match_key: 'r1' } : row
    })
    // The record of the last one has no candidates.
    expect(await judge(saved(bad))).toMatchObject({ written: 1, rejected: 5, changed: 0 })
  })

  it('of another project judges nothing here', async () => {
    const { rows } = await exported()
    const other = await bench.import(`other of ${dataset}`, RECORDS)
    project = await bench.project(other.datasetId)
    expect(await judge(saved(decide(rows, ['1'])))).toMatchObject({ written: 0, rejected: 1 })
  })

  it('shows no candidates of cells that were others', async () => {
    await bench.import(dataset, RECORDS.replace('Ann', 'Anna'))
    const { rows } = await exported()
    expect(rows.map((row) => row['match_1_qid'])).toEqual(['', 'Q1', 'Q1', 'Q1', 'Q1', ''])
  })

  it('of a file that has a column "decision" takes another prefix', async () => {
    const { datasetId } = await bench.import(`d of ${dataset}`, 'id,name,decision\n1,A,x\n')
    project = await bench.project(datasetId)
    await expect(exported()).rejects.toMatchObject({ code: 'column_collision' })
    const { rows } = await exported({ prefix: 'new_' })
    const file = saved(rows.map((row) => ({ ...row, new_decision: 'Q7' })))
    expect(await judge(file)).toMatchObject({ written: 1, rejected: 0 })
    expect(await standing()).toEqual(['1 matched Q7'])
  })
})
