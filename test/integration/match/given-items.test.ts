/** Records that bring ids along, against a real knowledge-base service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluateProject } from '../../../src/client/evaluate/evaluate-project.ts'
import { startKbService, type KbService } from '../../../src/kb/kb-service.ts'
import {
  createTestProject,
  type TestProject,
  type TestRecord,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
let kb: KbService
let folder = ''
let project: TestProject

beforeAll(async () => {
  server = await startMatchServer()
  folder = await mkdtemp(join(tmpdir(), 'record-linker-given-'))
  const items = [
    {
      qid: 'Q42',
      label: 'Douglas Adams',
      types: ['Q5'],
      properties: { P214: ['113230702'], P213: ['0000 0000 8045 6315'] },
    },
    { qid: 'Q2', label: 'Earth' },
    { qid: 'Q100', label: 'Q2 Stadium', types: ['Q483110'] },
    { qid: 'Q8', label: 'happiness' },
    { qid: 'Q77', label: 'Q999999999999' },
  ]
  const file = join(folder, 'kb.jsonl')
  await writeFile(file, items.map((item) => JSON.stringify(item)).join('\n'))
  kb = await startKbService({ file })
})
afterAll(async () => {
  await kb.close()
  await server.close()
  await rm(folder, { recursive: true })
})

async function decided(
  records: readonly TestRecord[],
  earlier?: { column: string; use: 'verify' },
) {
  project = await createTestProject(server.bench.db, `${kb.url}/`, records, {
    types: ['Q5', 'Q483110'],
    mapping: {
      name: 'name',
      variants: [],
      properties: [
        { pid: 'P214', columns: ['viaf'], kind: 'id', use: 'send' },
        { pid: 'P213', columns: ['isni'], kind: 'id', use: 'send' },
      ],
      ...(earlier === undefined ? {} : { earlier }),
    },
  })
  await (await server.bench.start(project.id)).result()
  const rows = await server.bench.db
    .selectFrom('result')
    .where('project_id', '=', project.id)
    .select(['external_id', 'match_status', 'match_qid', 'rule'])
    .orderBy('position')
    .execute()
  return rows.map((row) =>
    [row.external_id, row.match_status, row.match_qid, row.rule].filter(Boolean).join(' '),
  )
}

it('cases 7 and 8: ids as names are verified, names that begin like one are names', async () => {
  const names = [
    ' q42 ',
    'https://www.wikidata.org/wiki/Q2',
    'Q999999999999',
    'Q2 Stadium',
    'Q8 Petroleum',
  ]
  const records = names.map((name, index) => ({ id: `r${index}`, name, viaf: '', isni: '' }))
  const rows = await decided(records)
  expect(rows.slice(0, 3)).toEqual([
    'r0 matched Q42 given-id',
    'r1 matched Q2 given-id',
    'r2 no_candidate unknown-id',
  ])
  expect(rows[3]).toContain('matched Q100')
  expect(rows[4]).not.toContain('Q8')
})

it('records without a name are asked by their identifiers, in whatever dress', async () => {
  const ids = [
    ['https://viaf.org/viaf/113230702/', ''],
    ['', 'ISNI 0000000080456315'],
    ['113230703', ''],
    ['', ''],
  ]
  const records = ids.map(([viaf = '', isni = ''], index) => ({
    id: `r${index}`,
    name: '',
    viaf,
    isni,
  }))
  expect(await decided(records)).toEqual([
    'r0 matched Q42 same-identifier',
    'r1 matched Q42 same-identifier',
    'r2 no_candidate nothing-found',
    'r3 skipped empty-name',
  ])
})

it('earlier matches are verified: kept, contradicted, or unknown', async () => {
  const rows = [
    ['Adams, Douglas', 'Q42'],
    ['Heidi Klum', 'Q42'],
    ['Douglas Adams', 'Q31415926'],
  ]
  const records = rows.map(([name = '', qid = ''], index) => ({
    id: `r${index}`,
    name,
    qid,
    viaf: '',
    isni: '',
  }))
  expect(await decided(records, { column: 'qid', use: 'verify' })).toEqual([
    'r0 matched Q42 given-id',
    'r1 review given-id-contradicted',
    'r2 review unknown-id',
  ])
  // No threshold would have let the last two through.
  const gold = new Map([
    ['r0', 'Q42'],
    ['r1', null],
    ['r2', null],
  ])
  const { curve } = await evaluateProject(server.bench.db, project, gold)
  expect(curve.map(({ matched }) => matched)).toEqual(curve.map(() => 1))
})
