import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { exportJudgments } from '../../../src/client/judgments/export-judgments.ts'
import { importJudgments } from '../../../src/client/judgments/import-judgments.ts'
import { refreshProjects } from '../../../src/client/import/refresh-projects.ts'
import type { Project } from '../../../src/db/projects.repo.ts'
import { textSource } from '../../../src/tabular/byte-source.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

let bench: ImportBench
let project: Project
let round = 0
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  round += 1
  const { datasetId } = await bench.import(`d${round}`, 'id,name\n1,A\n2,B\n3,C\n4,D\n')
  project = await bench.project(datasetId)
})

const judge = (text: string, of: Project = project) =>
  importJudgments(bench.db, of, textSource('judgments.csv', text), {}, null)

async function exported(of: Project = project, format: 'csv' | 'json' = 'csv'): Promise<string> {
  const pieces: (string | Buffer)[] = []
  await exportJudgments(bench.db, of.id, format, {
    write: async (text) => void pieces.push(text),
    finish: async () => undefined,
    discard: async () => undefined,
  })
  return pieces.join('')
}

const held = async () =>
  (await exported())
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').slice(0, 4).join(','))

it('judgments of records that never ran are kept, and shown by the export', async () => {
  const report = await judge(
    'id,verdict,qid,by,note\n3,not_in_wikidata,,ann,"really, not"\n1,match,q7,ann,\n',
  )
  expect(report).toMatchObject({ lines: 2, written: 2, unchanged: 0, rejected: 0 })
  expect(await held()).toEqual(['1,match,Q7,ann', '3,not_in_wikidata,,ann'])
  const rows = (await bench.export(project)).split('\n').slice(1, 5)
  expect(rows.map((row) => row.split(',')[5])).toEqual(['matched', 'new', 'not_in_wikidata', 'new'])
})

it('the latest judgment holds, an undo brings back the one before', async () => {
  await judge('id,verdict,qid,by\n1,match,Q1,a\n1,match,Q2,b\n')
  expect(await held()).toEqual(['1,match,Q2,b'])
  await judge('id,verdict,qid,by\n1,undo,,c\n')
  expect(await held()).toEqual(['1,match,Q1,a'])
  const file = 'id,verdict,by\n1,undo,c\n1,undo,d\n2,undo,d\n'
  expect(await judge(file)).toMatchObject({ written: 1, unchanged: 1, rejected: 1 })
  expect(await held()).toEqual([])
})

it('a file imported again writes nothing, be its judgments undone within it', async () => {
  const timed =
    'id,verdict,qid,by,at\n' +
    '1,match,Q1,a,2026-11-27T10:00:00Z\n1,undo,,a,2026-11-27T11:00:00Z\n2,none_fits,,a,2026-11-27\n'
  expect(await judge(timed)).toMatchObject({ written: 3 })
  expect(await judge(timed)).toMatchObject({ written: 0, unchanged: 3, rejected: 0 })
  const untimed = 'id,verdict,qid,by\n3,match,Q3,a\n'
  expect(await judge(untimed)).toMatchObject({ written: 1 })
  expect(await judge(untimed)).toMatchObject({ written: 0, unchanged: 1 })
})

it('good rows are kept when others are rejected', async () => {
  const report = await judge('id,verdict,qid\n1,match,Q1\n9,match,Q1\n2,match,\n3,maybe,x y\n')
  expect(report).toMatchObject({ lines: 4, written: 1, rejected: 3 })
  await expect(judge('id,qid\n1,Q1\n')).rejects.toMatchObject({ code: 'unknown_column' })
})

it('a judgment is stale once its record changed, also where it is imported elsewhere', async () => {
  await judge('id,verdict,qid,by\n1,match,Q1,a\n2,match,Q2,a\n')
  const changed = 'id,name\n1,A (changed)\n2,B\n3,C\n4,D\n'
  await bench.import(`d${round}`, changed)
  await refreshProjects(bench.db, [project])
  const file = await exported()
  expect(file.split('\n').filter((line) => line.includes(',yes,'))).toHaveLength(1)

  const other = await bench.import(`other ${round}`, changed)
  const copy = await bench.project(other.datasetId)
  expect(await judge(file, copy)).toMatchObject({ written: 2, rejected: 0 })
  expect(await exported(copy)).toBe(file)
})

it('are one JSON document where JSON is asked for, also when there are none', async () => {
  expect(JSON.parse(await exported(project, 'json'))).toEqual([])
  await judge('id,verdict,qid\n1,match,Q1\n2,none_fits,\n')
  expect(JSON.parse(await exported(project, 'json'))).toMatchObject([
    { id: '1', verdict: 'match', qid: 'Q1' },
    { id: '2', verdict: 'none_fits' },
  ])
})
