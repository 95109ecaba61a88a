import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { earlierCellLines } from '../../../src/client/import/earlier-cells.ts'
import { planForProject } from '../../../src/client/import/import-plan.ts'
import { refreshProjects } from '../../../src/client/import/refresh-projects.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { findProject, type Project } from '../../../src/db/projects.repo.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

const MAPPING = { name: 'name', earlier: { column: 'qid', use: 'judge' } } as const
const HEADER = 'id,name,qid\n'
const FIRST = `${HEADER}1,A,Q1\n2,B, https://www.wikidata.org/wiki/Q2 \n3,C,\n4,D,see Q4\n5,E,93\n6,F,q6\n`

let bench: ImportBench
let dataset = ''
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())
beforeEach(() => {
  dataset = `d${Math.random()}`
})

const importing = (text: string, services: readonly string[] = []) =>
  bench.import(dataset, text, { earlier: { column: 'qid', services } })

async function refreshed(project: Project) {
  const [counts] = await refreshProjects(bench.db, [project])
  return counts?.judgments
}

async function held(project: Project) {
  const rows = await bench.db
    .selectFrom('result')
    .where('project_id', '=', project.id)
    .select(['external_id', 'match_status', 'match_qid', 'match_by', 'stale'])
    .orderBy('position')
    .execute()
  return rows.map((row) =>
    [row.external_id, row.match_qid ?? row.match_status, row.match_by, row.stale ? 'stale' : '']
      .join(' ')
      .trim(),
  )
}

describe('a column of earlier matches', () => {
  it('is taken as judged; what is no item is told with its line, the rest is kept', async () => {
    const { datasetId, earlier, rejected, new: created } = await importing(FIRST, ['sample'])
    expect([created, rejected]).toEqual([6, 0])
    expect(earlier).toEqual({
      column: 'qid',
      items: 3,
      blank: 1,
      unreadable: 2,
      unreadableCells: [
        { line: 5, cell: 'see Q4' },
        { line: 6, cell: '93' },
      ],
    })
    expect(earlier === undefined ? [] : earlierCellLines(earlier)).toEqual([
      'column "qid": 3 items, 1 blank, 2 unreadable',
      '  line 5: "see Q4" is no item id; expected one like Q42',
      '  line 6: "93" is no item id; expected one like Q42',
    ])
    const project = await bench.project(datasetId, MAPPING)
    expect(await held(project)).toEqual([
      '1 Q1 import:qid',
      '2 Q2 import:qid',
      '3 new',
      '4 new',
      '5 new',
      '6 Q6 import:qid',
    ])
    const question = { projectId: project.id, revision: 1, runId: null, options: defaultRunOptions }
    expect(await countDue(bench.db, question)).toMatchObject({ judged: 3, due: { new: 3 } })
  })

  it('imported again doubles nothing, and another item is a new judgment', async () => {
    const { datasetId } = await importing(FIRST)
    const project = await bench.project(datasetId, MAPPING)
    await importing(FIRST)
    const again = { column: 'qid', written: 0, unchanged: 3, unreadable: 2 }
    expect(await refreshed(project)).toEqual(again)
    await importing(FIRST.replace('A,Q1', 'A,Q11').replace('3,C,', '3,C,Q3'))
    expect(await refreshed(project)).toEqual({ ...again, written: 2, unchanged: 2 })
    expect((await held(project)).slice(0, 3)).toEqual([
      '1 Q11 import:qid',
      '2 Q2 import:qid',
      '3 Q3 import:qid',
    ])
    const { rows } = await bench.db
      .selectFrom('judgment')
      .innerJoin('subject', 'subject.id', 'judgment.subject_id')
      .where('subject.project_id', '=', project.id)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    expect(rows).toBe(5)
  })

  it('says nothing new against what a person judged or took back since', async () => {
    const { datasetId } = await importing(FIRST)
    const project = await bench.project(datasetId, MAPPING)
    const said = { line: 1, by: 'ann', at: null, note: null, matchHash: null }
    await appendJudgments(bench.db, project.id, [
      { ...said, externalId: '1', verdict: 'match', qid: 'Q100' },
      { ...said, externalId: '2', verdict: 'undo', qid: null },
    ])
    await importing(FIRST)
    expect(await refreshed(project)).toMatchObject({ written: 0, unchanged: 3 })
    expect((await held(project)).slice(0, 2)).toEqual(['1 Q100 ann', '2 new'])
  })

  it('that keeps its item while the record changes leaves a stale judgment', async () => {
    const { datasetId } = await importing(FIRST)
    const project = await bench.project(datasetId, MAPPING)
    await importing(FIRST.replace('1,A', '1,Another'))
    await refreshed(project)
    expect((await held(project))[0]).toBe('1 Q1 import:qid stale')
  })

  it('may have the ids of another service, where no Q-id stands beside them', async () => {
    const text = `${HEADER}1,A,lc-77\n2,B,two words\n`
    const url = 'http://127.0.0.1:8001'
    const { datasetId, earlier } = await importing(text, [url])
    expect(earlier).toMatchObject({ items: 1, unreadable: 1, unreadableCells: [{ line: 3 }] })
    const project = await bench.project(datasetId, MAPPING, url)
    expect(await held(project)).toEqual(['1 lc-77 import:qid', '2 new'])
    await importing(`${text}3,C,Q3\n`)
    expect(await refreshed(project)).toMatchObject({ written: 1, unreadable: 2 })
  })

  it('that is to be verified makes no judgment, and its items are asked for', async () => {
    const { datasetId } = await importing(FIRST)
    const mapping = { name: 'name', earlier: { column: 'qid', use: 'verify' } } as const
    const project = await bench.project(datasetId, mapping)
    expect(await refreshed(project)).toBeUndefined()
    expect(await held(project)).toEqual(['1 new', '2 new', '3 new', '4 new', '5 new', '6 new'])
  })

  it('given at the import into a project is judged at once', async () => {
    const { datasetId } = await importing(FIRST)
    const { id } = await bench.project(datasetId)
    const plan = await planForProject(bench.db, id, undefined, MAPPING)
    expect(plan.earlier).toEqual({ column: 'qid', services: ['sample'] })
    const [counts] = await plan.after(await importing(FIRST))
    expect(counts?.judgments).toMatchObject({ written: 3, unchanged: 0 })
    expect((await findProject(bench.db, id))?.settings.mapping.earlier?.column).toBe('qid')
  })
})

it('25,000 earlier matches are judged in pages, each once', async () => {
  const rows = Array.from({ length: 25_000 }, (_, index) => `${index},N${index},Q${index + 1}\n`)
  const { datasetId } = await importing(HEADER + rows.join(''))
  const project = await bench.project(datasetId, MAPPING)
  expect(await refreshed(project)).toMatchObject({ written: 0, unchanged: 25_000 })
})
