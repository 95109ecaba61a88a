/**
 * The whole path of many records with everything real around it: a file, the command line, PostgreSQL, Temporal, one
 * worker process and a service that is never slow. Import, plan, ask and decide, export; then what must cost next to
 * nothing: a look at it, a second start, the same file once more.
 */
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { matchProjectId } from '../../src/core/workflow-ids.ts'
import { latestRun } from '../../src/db/runs.repo.ts'
import { openLab, type Lab } from '../origin/lab.ts'
import { type ConstantService, startConstantService } from './constant-service.ts'
import {
  activitiesOf,
  largestEventBytes,
  type LargestHistories,
  largestHistories,
  type RanActivity,
} from './histories.ts'
import { type Looks, startLooking } from './looks.ts'
import { madeMapping, madeRecords } from './made-records.ts'
import { type RunMeter, type Sample, startRunMeter } from './run-meter.ts'
import {
  countedStatements,
  countingStatements,
  startCounting,
  type StatementTime,
} from './statements.ts'
import { databaseBytes, sqliteBytes, type TableSize, tableSizes } from './table-sizes.ts'
import { type Tenth, tenthFigures } from './tenths.ts'
import { startYardstick, type Yardstick, type YardstickMark } from './yardstick.ts'

const PROJECT = 401
/** Tried first, as the README says: a worker that was never used and a limiter that knows nothing are measured apart. */
const TRIED_SHARE = 0.02

/** What a command of the user took. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface WholePath {
  readonly records: number
  readonly questions: number
  readonly csvBytes: number
  readonly import: Span
  /** Most memory of the command that imports, MB. */
  readonly importRssMb: number
  /** Of `start-match --sample`, before the run that is looked at; undefined: nothing was tried. */
  readonly tried: (Span & { readonly records: number }) | undefined
  /** From `start-match` to its report. */
  readonly match: Span
  readonly export: Span
  readonly exportRssMb: number
  readonly exportedRows: number
  readonly secondStart: Span
  readonly secondImport: Span
  /** Of the project's workflow: planning and closing. */
  readonly activities: readonly RanActivity[]
  readonly tenths: readonly Tenth[]
  readonly completed: number
  readonly asked: number
  readonly batches: number
  readonly histories: LargestHistories
  readonly largestEventBytes: number
  readonly looks: Looks
  readonly samples: readonly Sample[]
  readonly marks: readonly YardstickMark[]
  readonly statements: readonly StatementTime[]
  readonly tables: readonly TableSize[]
  readonly databaseBytes: number
  readonly temporalBytes: number
}

export interface PathOptions {
  readonly records: number
  /** As `start-match` takes it; undefined: the program chooses. */
  readonly entriesPerTask: string | undefined
  /** Whether some records are matched before the run that is looked at. */
  readonly doTry: boolean
}

/** @param say told what is going on */
export async function walkWholePath(
  options: PathOptions,
  say: (text: string) => void,
): Promise<WholePath> {
  const lab = await openLab(1, countingStatements)
  const service = await startConstantService()
  const meter = startRunMeter()
  const yardstick = startYardstick()
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-million-'))
  try {
    return await walk({ ...options, lab, service, meter, yardstick, folder, say })
  } finally {
    await meter.stop()
    yardstick.stop()
    rmSync(folder, { recursive: true, force: true })
    await service.close()
    await lab.close()
  }
}

interface Walk extends PathOptions {
  readonly lab: Lab
  readonly service: ConstantService
  readonly meter: RunMeter
  readonly yardstick: Yardstick
  readonly folder: string
  readonly say: (text: string) => void
}

/** `start-match` of the project, with what both runs have in common. */
type Matching = readonly [string, ...string[]]

async function walk(way: Walk): Promise<WholePath> {
  const { lab, service, meter, yardstick, folder, records, say } = way
  const { db, client } = lab
  const made = await madeRecords(records)
  const csv = join(folder, 'records.csv')
  const mapping = join(folder, 'mapping.json')
  await made.write(csv)
  writeFileSync(mapping, JSON.stringify(madeMapping))
  await lab.restoreWorkers()
  for (const pid of lab.workerPids()) meter.add('worker', pid)
  meter.add('temporal', lab.temporal.pid())
  meter.add('postgres', await postmasterPid(lab))
  await startCounting(db)

  const project = ['--project', `${PROJECT}`]
  const importing = [csv, ...project, '--id', 'id', '--mapping', mapping, '--service', service.url]
  const imported = await command(way, 'import', ...importing)
  const size = way.entriesPerTask === undefined ? [] : ['--entries-per-task', way.entriesPerTask]
  const matching: Matching = ['start-match', ...project, ...size]
  const tried = way.doTry ? await tryFirst(way, matching) : undefined
  const triedBatches = service.batches()
  const looks = startLooking(db, PROJECT, say)
  const matched = await command(way, ...matching)
  const seen = await looks.stop()
  const run = await latestRun(db, PROJECT)
  if (run === undefined) throw new Error('expected a run of the project')
  const workflowId = matchProjectId(PROJECT)
  const activities = await activitiesOf(client, workflowId, run.temporalRunId)
  const asked = service.questions()
  const batches = service.batches() - triedBatches
  const tenths = await tenthsOf(lab, run.id, lastOf(activities, 'dealTasks'))
  for (const [index, one] of tenthFigures(tenths, meter.samples, yardstick.marks).entries()) {
    const figures = `${Math.round(one.wallUs)} µs, ${Math.round(one.cpuUs)} µs of CPU time a record`
    const around = `the worker has ${Math.round(one.rssMb)} MB, the same work took ${one.yardstickMs.toFixed(1)} ms`
    say(`tenth ${index + 1}: ${figures}, ${around}`)
  }
  const target = join(folder, 'matches.csv')
  const exported = await command(way, 'export', ...project, '-o', target)
  const again = await command(way, 'start-match', ...project)
  const importedAgain = await command(way, 'import', ...importing)
  const statements = await countedStatements(db)
  say('counting')
  return {
    records,
    questions: made.questions,
    csvBytes: statSync(csv).size,
    import: imported,
    importRssMb: imported.rssMb,
    tried,
    match: matched,
    export: exported,
    exportRssMb: exported.rssMb,
    exportedRows: (await linesOf(target)) - 1,
    secondStart: again,
    secondImport: importedAgain,
    activities,
    tenths,
    completed: await countCompleted(lab),
    asked,
    batches,
    histories: await largestHistories(client),
    largestEventBytes: await largestEventBytes(client, [
      workflowId,
      `${workflowId}/run-${run.number}/task-1`,
    ]),
    looks: seen,
    samples: meter.samples,
    marks: yardstick.marks,
    statements,
    tables: await tableSizes(db),
    databaseBytes: await databaseBytes(db),
    temporalBytes: sqliteBytes(lab.temporal.dataFile ?? ''),
  }
}

async function tryFirst(way: Walk, matching: Matching) {
  const records = Math.ceil(way.records * TRIED_SHARE)
  return { ...(await command(way, ...matching, '--sample', `${records}`)), records }
}

/** Runs a command as a user does. @throws when it does not end with 0 */
async function command(
  { lab, meter, say }: Walk,
  ...args: readonly [string, ...string[]]
): Promise<Span & { readonly rssMb: number }> {
  say(args[0])
  const fromMs = Date.now()
  const running = lab.start(...args)
  meter.add('command', running.mark.pid)
  const { code, stderr } = await running.ended
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}, expected 0:\n${stderr}`)
  const untilMs = Date.now()
  const during = meter.samples.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
  say(`${args[0]} took ${((untilMs - fromMs) / 1000).toFixed(1)} s`)
  return { fromMs, untilMs, rssMb: Math.max(...during.map(({ use }) => use.command.rssMb)) }
}

/** The parent of the process that serves us. */
async function postmasterPid({ db }: Lab): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`.execute(db)
  return rows[0]?.pid ?? 0
}

function lastOf(activities: readonly RanActivity[], type: string): number {
  const last = activities.findLast((one) => one.type === type)
  if (last === undefined) throw new Error(`expected the run to have done ${type}`)
  return last.endedMs
}

/** By the time of the decisions: when each tenth of them had been written. */
async function tenthsOf({ db }: Lab, runId: number, plannedMs: number): Promise<readonly Tenth[]> {
  const { rows } = await sql<{ untilMs: number; records: number }>`
    select extract(epoch from max(decided_at))::float8 * 1000 as "untilMs", count(*)::integer as records
    from (
      select decided_at, ntile(10) over (order by decided_at, id) as tenth
      from decision where run_id = ${runId}::bigint
    ) as numbered
    group by tenth order by tenth`.execute(db)
  return rows.map(({ untilMs, records }, index) => ({
    fromMs: rows[index - 1]?.untilMs ?? plannedMs,
    untilMs,
    records,
  }))
}

async function countCompleted({ db }: Lab): Promise<number> {
  const { count } = await db
    .selectFrom('subject')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', PROJECT)
    .where('status', '=', 'COMPLETED')
    .executeTakeFirstOrThrow()
  return count
}

async function linesOf(path: string): Promise<number> {
  let lines = 0
  for await (const _ of createInterface({ input: createReadStream(path) })) lines++
  return lines
}
