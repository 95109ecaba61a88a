/** What must be true of a project after its match, whatever happened in between. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as TemporalClient, Connection } from '@temporalio/client'
import { Client } from 'pg'
import { homePaths } from '../../../src/client/stack/home.ts'
import type { Cli } from '../../support/cli.ts'
import { exportedTable } from '../../support/brands.ts'
import { askedTooOften, type Disturbance } from './asked-too-often.ts'
import type { KillableOrigin } from './killable-origin.ts'

export interface Aftermath {
  readonly cli: Cli
  readonly origin: KillableOrigin
  readonly project: number
  readonly records: number
  /** The table of a run that nothing disturbed. */
  readonly undisturbed: string
  readonly disturbances: readonly Disturbance[]
}

/** What ends by itself after the match has so long; only a machine that stands still needs it. */
const PATIENCE_MS = 180_000
const LOOK_EVERY_MS = 500
const SHOWN = 5

/** @returns a sentence for each thing that is not as it must be */
export async function faultsLeft(aftermath: Aftermath): Promise<readonly string[]> {
  const { cli, origin, project, undisturbed, disturbances } = aftermath
  const stack = JSON.parse(await cli.data('up', '--background', '-o', 'json'))
  const database = new Client({
    connectionString: readFileSync(homePaths(cli.home).databaseUrl, 'utf8').trim(),
  })
  const connection = await Connection.connect({ address: stack.temporalAddress })
  await database.connect()
  try {
    return [
      ...(await rowsLeft(database, aftermath)),
      ...tableDifference(undisturbed, await exportedTable(cli, project)),
      ...shown(askedTooOften(origin.log.asks(), disturbances)),
      ...(await sentOutsideRuns(database, aftermath)),
      ...(await workflowsLeft(database, new TemporalClient({ connection }), project)),
      ...(await permitsLeft(cli, origin.domain)),
    ]
  } finally {
    await connection.close()
    await database.end()
  }
}

/** Every record has one final status and one decision, and no run is open. */
async function rowsLeft(
  database: Client,
  { project, records }: Aftermath,
): Promise<readonly string[]> {
  const { rows } = await database.query<Record<string, number>>(
    `select count(*) filter (where s.status = 'COMPLETED')::integer as completed,
       count(*) filter (where s.status = 'QUEUED')::integer as queued,
       count(*) filter (where s.status not in ('COMPLETED', 'QUEUED'))::integer as other,
       count(*) filter (where s.decision_id is null)::integer as undecided,
       count(*) filter (where (select count(*) from decision d where d.subject_id = s.id) > 1)::integer as decided_twice,
       (select sum(records) from record_tally where project_id = $1 and status = 'COMPLETED')::integer as tallied
     from subject s where s.project_id = $1`,
    [project],
  )
  const runs = await database.query<{ open: number }>(
    `select count(*)::integer as open from run where project_id = $1 and status = 'open'`,
    [project],
  )
  const found = { ...rows[0], open_runs: runs.rows[0]?.open }
  const wanted = {
    completed: records,
    queued: 0,
    other: 0,
    undecided: 0,
    decided_twice: 0,
    tallied: records,
    open_runs: 0,
  }
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : [`records: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`]
}

function tableDifference(expected: string, found: string): readonly string[] {
  if (expected === found) return []
  const lines = found.split('\n')
  const differing = expected
    .split('\n')
    .flatMap((line, index) =>
      line === lines[index] ? [] : [`line ${index + 1}: expected ${line}, found ${lines[index]}`],
    )
  return shown(['the exported table is not that of the undisturbed run', ...differing])
}

/** A run is closed when all its calls have ended, a cancelled one too: nothing is sent after that. */
async function sentOutsideRuns(
  database: Client,
  { origin, project }: Aftermath,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ from: Date; to: Date }>(
    `select started_at as from, coalesce(ended_at, clock_timestamp()) as to from run where project_id = $1`,
    [project],
  )
  const outside = origin.log
    .requestsMs()
    .filter((atMs) => !rows.some(({ from, to }) => atMs >= from.getTime() && atMs <= to.getTime()))
  return shown(outside.map((atMs) => `sent while no run was open: ${new Date(atMs).toISOString()}`))
}

/** Each run was one execution, and of all workflows only limiters still run. */
async function workflowsLeft(
  database: Client,
  client: TemporalClient,
  project: number,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ runs: number }>(
    `select count(*)::integer as runs from run where project_id = $1`,
    [project],
  )
  return untilNone(async () => {
    const open: string[] = []
    for await (const { workflowId } of client.workflow.list({
      query: `ExecutionStatus = 'Running'`,
    })) {
      if (!workflowId.startsWith('limiter/')) open.push(`still running: ${workflowId}`)
    }
    const { count } = await client.workflow.count(`WorkflowId = 'match-project/${project}'`)
    const executions =
      count === rows[0]?.runs ? [] : [`${count} executions, but ${rows[0]?.runs} runs`]
    return [...shown(open), ...executions]
  })
}

/** The limiter forgets a process that holds no lease and asks for none. */
async function permitsLeft(cli: Cli, domain: string): Promise<readonly string[]> {
  return untilNone(async () => {
    const { inFlight, waiting, workers } = JSON.parse(
      await cli.data('limits', domain, '-o', 'json'),
    )
    const left = JSON.stringify({ inFlight, waiting, workers })
    return left === JSON.stringify({ inFlight: 0, waiting: 0, workers: 0 })
      ? []
      : [`the limiter of ${domain} still counts ${left}`]
  })
}

async function untilNone(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found.length === 0 || performance.now() > deadline) return found
    await sleep(LOOK_EVERY_MS)
  }
}

function shown(all: readonly string[]): readonly string[] {
  if (all.length <= SHOWN) return all
  return [...all.slice(0, SHOWN), `… and ${all.length - SHOWN} more of these`]
}
