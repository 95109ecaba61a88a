/** A project moves house: what is dumped here is the same there, and nothing of it is asked again. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dumpProject } from '../../../src/client/dump/dump-project.ts'
import { loadProject } from '../../../src/client/dump/load-project.ts'
import { fileSink } from '../../../src/client/text-sink.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { countDue } from '../../../src/db/due-subjects.ts'
import { dumpParts } from '../../../src/db/dump-parts.ts'
import { drawAudit, listAudits } from '../../../src/db/audits.repo.ts'
import { replaceGoldItems } from '../../../src/db/gold-items.repo.ts'
import {
  acceptByRule,
  listActs,
  previewAcceptable,
  undoAct,
} from '../../../src/db/judgment-acts.repo.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { judgeEntry, skipEntry } from '../../../src/db/review-judgments.repo.ts'
import { answerEach, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

let server: MatchServer
let elsewhere: TempDatabase
let there: Db
let here: Db
let project: TestProject
const folder = mkdtempSync(join(tmpdir(), 'record-linker-dump-'))
const file = join(folder, 'project.jsonl')

beforeAll(async () => {
  server = await startMatchServer()
  here = server.bench.db
  elsewhere = await createTempDatabase()
  there = connectDatabase(elsewhere.url)
  server.service.respond((request) =>
    request.queries === null
      ? manifestAnswer(request)
      : answerEach(request, ({ query = '' }) =>
          query === 'Nowhere'
            ? []
            : [{ id: `Q${query.length}`, name: candidateName(query), score: 100, match: false }],
        ),
  )
  const records = [
    { id: 'a', name: 'Berlin' },
    { id: 'b', name: 'Nowhere' },
    { id: 'c', name: 'Köln "am" Rhein\\n' },
    { id: 'd', name: '' },
    { id: 'e', name: 'Hamburg' },
    { id: 'f', name: 'Weimar an der Ilm' },
    { id: 'g', name: 'Ulm' },
  ]
  project = await createTestProject(here, server.ownAddress(), records)
  await (await server.bench.start(project.id)).result()
  const said = { line: 2, externalId: 'a', by: 'anna', at: null, matchHash: null }
  await appendJudgments(here, project.id, [
    { ...said, verdict: 'match', qid: 'Q64', note: 'the capital' },
  ])
  await reviewSome()
  // As a service may answer: an escape that no jsonb can hold.
  await sql`update lookup set raw = '{"x":"\\u0000"}'::json where status = 'answered'`.execute(here)
  await dump(here, project.id, file)
})
afterAll(async () => {
  await there.destroy()
  await elsewhere.drop()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

it('is the same elsewhere, to the last decision and judgment, and nothing of it is due', async () => {
  // So that numbers of the other place are in use.
  await loadProject(there, file, 'another')
  const { project: id, leftOut } = await loadProject(there, file)
  expect(leftOut).toEqual([])
  expect(await results(there, id)).toEqual(await results(here, project.id))
  expect(await peoplesWork(there, id)).toEqual(await peoplesWork(here, project.id))
  const question = { projectId: id, revision: 1, runId: null, options: defaultRunOptions }
  const { due } = await countDue(there, question)
  expect(Object.values(due).filter((count) => count !== 0)).toEqual([])
  const again = join(folder, 'again.jsonl')
  await dump(there, id, again)
  expect(withoutNumbers(again)).toEqual(withoutNumbers(file))
})

it('leaves the answers of others as they are, where they are as new', async () => {
  await sql`update lookup set answer = '{"candidates":[],"truncated":false}', answered_at = now()`.execute(
    there,
  )
  const before = await answersOf(there)
  await loadProject(there, file, 'third')
  expect(await answersOf(there)).toEqual(before)
})

it('refuses a file that is cut off, one of a later version, another kind, and a dataset that is there', async () => {
  const counts = await tableCounts(there)
  const whole = readFileSync(file, 'utf8')
  const written = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const cut = written('cut.jsonl', whole.slice(0, -10))
  await expect(loadProject(there, cut, 'cut')).rejects.toMatchObject({ code: 'dump_broken' })
  const lines = whole.trimEnd().split('\n')
  const endless = written('endless.jsonl', `${lines.slice(0, -1).join('\n')}\n`)
  await expect(loadProject(there, endless, 'cut')).rejects.toMatchObject({ code: 'dump_broken' })
  const gap = written('gap.jsonl', `${lines.toSpliced(-2, 1).join('\n')}\n`)
  await expect(loadProject(there, gap, 'cut')).rejects.toMatchObject({ code: 'dump_broken' })
  const later = written('later.jsonl', whole.replace('"format":1', '"format":2'))
  await expect(loadProject(there, later, 'later')).rejects.toMatchObject({ code: 'dump_too_new' })
  const other = written('other.csv', 'id,name\n')
  await expect(loadProject(there, other)).rejects.toMatchObject({ code: 'not_a_dump' })
  await expect(loadProject(there, join(folder, 'none'))).rejects.toMatchObject({
    code: 'file_not_found',
  })
  await expect(loadProject(there, file)).rejects.toMatchObject({ code: 'dataset_exists' })
  expect(await tableCounts(there)).toEqual(counts)
})

it('takes what it knows of a file that another version wrote', async () => {
  const lines = readFileSync(file, 'utf8').replaceAll('"note":', '"unknown":1,"note":')
  const path = join(folder, 'more.jsonl')
  writeFileSync(
    path,
    lines.replace('{"part":"end"', '{"part":"moods","row":{"id":1}}\n{"part":"end"'),
  )
  const { project: id, leftOut } = await loadProject(there, path, 'more')
  expect(leftOut).toEqual(['moods'])
  expect(await results(there, id)).toEqual(await results(here, project.id))
})

async function dump(db: Db, id: number, path: string): Promise<void> {
  const found = await findProject(db, id)
  if (found === undefined) throw new Error('expected the project')
  const sink = await fileSink(path)
  await dumpProject(db, found, sink)
  await sink.finish()
}

function results(db: Db, projectId: number) {
  return db
    .selectFrom('result')
    .where('project_id', '=', projectId)
    .select(['external_id', 'match_status', 'match_qid', 'match_by', 'match_at', 'rule', 'reason'])
    .orderBy('position')
    .execute()
}

/** Of one a person has to say whether it is meant. */
function candidateName(query: string): string {
  return query.startsWith('Weimar') ? 'Weimar (Lahn)' : query
}

/** An act of each kind, one that is taken back, a draw that is looked at, a record left for later, a gold file. */
async function reviewSome(): Promise<void> {
  const said = { qid: 'Q1055', note: 'the port', by: 'berta', scope: 'one' } as const
  const judge = (externalId: string, way: 'review' | 'blind' | 'audit') =>
    judgeEntry(here, project.id, { ...said, externalId, verdict: 'match', way })
  await judge('b', 'blind')
  const taken = await judge('c', 'review')
  if (taken.kind !== 'written') throw new Error(`expected an act, found ${taken.kind}`)
  await undoAct(here, project.id, { actId: taken.actId, by: 'carla' })
  const drawn = await drawAudit(here, project.id, { size: 2, seed: 7, by: 'dora' })
  if (drawn === undefined) throw new Error('expected matches to draw from')
  await judge('e', 'audit')
  await skipEntry(here, project.id, { externalId: 'g', by: 'anna', scope: 'one' })
  const rule = { minScore: 0, minMargin: 0, single: true }
  const { count } = await previewAcceptable(here, project.id, rule, { size: 1, seed: 1 })
  const accepted = await acceptByRule(here, project.id, { rule, by: 'emma', expected: count })
  expect([count > 0, accepted.kind]).toEqual([true, 'written'])
  await replaceGoldItems(here, project.id, new Set(['Q64', 'Q1055']))
}

/** Numbers are of their place. */
async function peoplesWork(db: Db, projectId: number) {
  const acts = await listActs(db, projectId, { by: null, limit: 100 })
  const audits = await listAudits(db, projectId)
  const { rows: judgments } = await sql`
    select e.external_id as record, j.verdict, j.external_id as item, j.judged_by, j.judged_at, j.note, a.way,
      taken.way as undoes, d.rule as of_decision, back.verdict as takes_back
    from judgment j join subject s on s.id = j.subject_id join entry e on e.id = s.entry_id
    left join judgment_act a on a.id = j.act_id
    left join judgment_act taken on taken.id = a.undoes
    left join decision d on d.id = j.decision_id
    left join judgment back on back.id = j.undoes
    where s.project_id = ${projectId}::bigint order by j.id`.execute(db)
  const { rows: draws } = await sql`
    select e.external_id as record, r.position, r.external_id as item
    from audit_record r join subject s on s.id = r.subject_id join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint order by r.audit_id, r.position`.execute(db)
  const { rows: later } = await sql`
    select e.external_id as record, k.skipped_by, k.skipped_at
    from review_skip k join subject s on s.id = k.subject_id join entry e on e.id = s.entry_id
    where s.project_id = ${projectId}::bigint`.execute(db)
  const { rows: gold } = await sql`
    select external_id from gold_item where project_id = ${projectId}::bigint order by 1`.execute(
    db,
  )
  const unnumbered = (row: { readonly id: number }) => ({ ...row, id: 0 })
  const work = { judgments, draws, later, gold }
  for (const [part, rows] of Object.entries(work))
    expect([part, rows.length > 0]).toEqual([part, true])
  return { ...work, acts: acts.map(unnumbered), audits: audits.map(unnumbered) }
}

function answersOf(db: Db) {
  return db.selectFrom('lookup').select(['id', 'answer', 'answered_at']).orderBy('id').execute()
}

async function tableCounts(db: Db) {
  const { rows } = await sql`
    select (select count(*) from dataset) as datasets, (select count(*) from entry) as entries,
      (select count(*) from lookup) as lookups, (select count(*) from decision) as decisions`.execute(
    db,
  )
  return rows
}

/** Numbers and the first line are of their place. */
function withoutNumbers(path: string): readonly string[] {
  const numbered = new Map(dumpParts.map(({ name, numbers }) => [name, Object.keys(numbers)]))
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const { part, row } = JSON.parse(line) as { part: string; row: Record<string, unknown> }
      const own = part === 'present_decision' ? ['subject_id', 'decision_id'] : numbered.get(part)
      for (const column of own ?? []) delete row[column]
      return JSON.stringify([part, row])
    })
}
