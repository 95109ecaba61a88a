import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import proto from '@temporalio/proto'
import type { Db } from '../../../src/db/connect.ts'
import { matchTaskId } from '../../../src/core/workflow-ids.ts'
import type { MatchBench } from '../../support/match-bench.ts'
import {
  createTestProject,
  reviseSettings,
  type TestProject,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const { EventType } = proto.temporal.api.enums.v1
const poisonableChild = new URL('../../support/poisonable-child.ts', import.meta.url)
/** Nothing is sure enough any more, so that everything is decided anew. */
const thresholds = { match: 101, review: 35, lead: 10 }
const onePerTask = { settingsRevision: 2, options: { entriesPerTask: 1 } }

let server: MatchServer
let bench: MatchBench
let db: Db
beforeAll(async () => {
  server = await startMatchServer({ judgeChild: poisonableChild })
  ;({ bench } = server)
  db = bench.db
})
afterAll(() => server.close())

async function matchedOnce(names: readonly string[]): Promise<TestProject> {
  const records = names.map((name, index) => ({ id: `r${index}`, name, variants: '' }))
  const project = await createTestProject(db, server.ownAddress(), records)
  await (await bench.start(project.id)).result()
  return project
}

async function eventsOf(project: TestProject, task: number): Promise<readonly string[]> {
  const handle = bench.client.workflow.getHandle(matchTaskId(project.id, 2, task))
  const { events } = await handle.fetchHistory()
  return (events ?? []).map(({ eventType }) => EventType[eventType ?? 0] ?? '')
}

async function results(project: TestProject): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('result')
    .where('project_id', '=', project.id)
    .select(['match_status', 'error_code'])
    .orderBy('position')
    .execute()
  return rows.map((row) => row.error_code ?? row.match_status)
}

it('a record with its answer at hand is decided by its child, without a task of the server', async () => {
  const project = await matchedOnce(['Amsterdam', 'Berlin', 'Nowhere'])
  await reviseSettings(db, project, { thresholds })
  await (await bench.start(project.id, onePerTask)).result()
  expect(await results(project)).toEqual(['review', 'review', 'no_candidate'])
  for (const task of [1, 2, 3]) {
    const events = await eventsOf(project, task)
    expect(events).toContain('EVENT_TYPE_MARKER_RECORDED')
    expect(events).not.toContain('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')
  }
})

it('what a local activity cannot decide is asked and decided by an activity', async () => {
  const project = await matchedOnce(['Nowhere', 'Berlin'])
  const variants = [{ column: 'id' }]
  await reviseSettings(db, project, { mapping: { ...project.settings.mapping, variants } })
  const before = server.service.requests.length
  await (await bench.start(project.id, onePerTask)).result()
  const asked = server.service.requests
    .slice(before)
    .flatMap(({ queries }) => Object.values(queries ?? {}).map(({ query }) => query))
  // Berlin is sure by its first name.
  expect(asked).toEqual(['r0'])
  expect(await results(project)).toEqual(['no_candidate', 'matched'])
})

it('a lost attempt makes its record suspect: it is judged apart, and poison is found', async () => {
  const project = await matchedOnce(['Poison', 'Berlin'])
  await reviseSettings(db, project, { thresholds })
  // What a worker leaves that dies while it decides: the marker of its page.
  await sql`
    create function leave_marker() returns trigger language plpgsql as $$
    begin
      new.marked_subject_id := (
        select max(id) from subject where run_id = new.run_id and task_number = new.number);
      return new;
    end $$`.execute(db)
  await sql`create trigger leave_marker before insert on task
    for each row execute function leave_marker()`.execute(db)
  try {
    await (await bench.start(project.id, onePerTask)).result()
  } finally {
    await sql`drop trigger leave_marker on task`.execute(db)
  }
  expect(await results(project)).toEqual(['poison', 'review'])
})
