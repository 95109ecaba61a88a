/** A run of many tasks is split into shards, and keeps what one without them keeps. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { lookupKey, lookupsOf } from '../../../src/core/matching/lookups.ts'
import { mapRecord } from '../../../src/core/matching/mapped-record.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { openRun } from '../../../src/db/runs.repo.ts'
import { sha256 } from '../../../src/db/sha256.ts'
import { createTestProject, type TestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

/** Forty tasks with a history each, on a machine that has other things to do. */
const PATIENCE_MS = 240_000
const RECORDS = 40
const records = Array.from({ length: RECORDS }, (_, at) => ({ id: `r${at}`, name: `Name ${at}` }))
const mapping = { name: 'name', variants: [], properties: [] }
const sizes = { tasksPerShard: 8, shardsInFlight: 2, shardsPerExecution: 9, window: 8 }

/** The names are being asked for by a task of another run, which takes its time: whoever needs them waits. */
async function holdNames({ settings }: TestProject, names: readonly string[]): Promise<number> {
  const { db } = server.bench
  const other = await createTestProject(db, settings.service, [], { mapping })
  const run = await openRun(db, {
    projectId: other.id,
    workflowId: 'w',
    temporalRunId: `holds-${other.id}`,
    settingsRevision: 1,
    options: defaultRunOptions,
  })
  await sql`insert into task (run_id, number, round, kind) values (${run.id}, 1, 0, 'ask')`.execute(
    db,
  )
  for (const query of names.flatMap((name) => lookupsOf(mapRecord({ name }, settings), settings))) {
    await sql`
      insert into lookup (service, key_hash, query, claimed_run_id, claimed_task, claimed_at)
      values (${settings.service}, ${sha256(lookupKey(query))}, ${JSON.stringify(query)}::jsonb, ${run.id}, 1,
        now() + interval '1 day')`.execute(db)
  }
  return run.id
}

/** Tasks of a run at the same time, at most, by the times that Temporal keeps. */
async function mostAtOnce(workflowId: string): Promise<number> {
  const spans: { readonly startMs: number; readonly closeMs: number }[] = []
  const query = `WorkflowType = 'matchTask' AND WorkflowId STARTS_WITH '${workflowId}/'`
  for await (const { startTime, closeTime } of server.bench.client.workflow.list({ query })) {
    spans.push({ startMs: startTime.getTime(), closeMs: closeTime?.getTime() ?? Infinity })
  }
  expect(spans).toHaveLength(RECORDS)
  const at = ({ startMs }: { readonly startMs: number }) =>
    spans.filter((other) => other.startMs <= startMs && other.closeMs > startMs).length
  return Math.max(...spans.map(at))
}

it(
  'a task that waits keeps its own place only: all others are done meanwhile, within one window',
  async () => {
    const { bench } = server
    const { db } = bench
    const slow = ['Name 2', 'Name 11', 'Name 17']
    const project = await createTestProject(db, server.ownAddress(), records, { mapping })
    const holder = await holdNames(project, slow)
    const handle = await bench.start(project.id, { options: { entriesPerTask: 1 }, sizes })
    await vi.waitFor(
      async () =>
        expect((await countProject(db, project.id)).completed).toBe(RECORDS - slow.length),
      { timeout: PATIENCE_MS, interval: 100 },
    )
    await sql`update lookup set claimed_run_id = null where claimed_run_id = ${holder}`.execute(db)
    await handle.result()
    expect((await countProject(db, project.id)).completed).toBe(RECORDS)
    await vi.waitFor(
      async () => expect(await mostAtOnce(handle.workflowId)).toBeLessThanOrEqual(sizes.window),
      { timeout: 20_000 },
    )
  },
  2 * PATIENCE_MS,
)
