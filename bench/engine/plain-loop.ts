/**
 * The work of a match run as a plain loop in one process would do it: the same plan, questions, judge and SQL, as many
 * requests in flight. What it lacks is the engine: no workflow, no limiter, no claim, no guard, no record of attempts,
 * no marker, nobody who goes on where it died.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Permits } from '../../src/core/limiter/permit.ts'
import { groupAlike, type AskedRecord } from '../../src/core/matching/judge-alike.ts'
import { judgeSubject } from '../../src/core/matching/judge-subject.ts'
import type { LookupQuery } from '../../src/core/matching/lookup-query.ts'
import type { Cells } from '../../src/core/matching/mapped-record.ts'
import { noPast } from '../../src/core/matching/record-past.ts'
import { WEIGHTS_VERSION } from '../../src/core/matching/weights.ts'
import { defaultRunOptions } from '../../src/core/run.ts'
import type { Db } from '../../src/db/connect.ts'
import { storeDecidedPage } from '../../src/db/decided-page.repo.ts'
import { storeAnswers } from '../../src/db/lookups.repo.ts'
import { findProject, type Project } from '../../src/db/projects.repo.ts'
import { writeRunLookups } from '../../src/db/run-lookups.ts'
import { queueDueSubjects } from '../../src/db/run-queue.ts'
import { closeRun, openRun } from '../../src/db/runs.repo.ts'
import { refreshSubjects } from '../../src/db/subject-refresh.ts'
import { createHttpClient } from '../../src/http/http-client.ts'
import type { LookupResult } from '../../src/http/reconciliation/lookup-result.ts'
import {
  createReconciliationClient,
  type ReconciliationClient,
} from '../../src/http/reconciliation/reconciliation-client.ts'
import { productVersion } from '../../src/product-version.ts'

export interface PlainLoopOptions {
  readonly projectId: number
  /** Lookups per request. */
  readonly batchSize: number
  /** Requests in flight. */
  readonly concurrency: number
}

interface QueuedRecord {
  readonly subjectId: number
  readonly cells: Cells
  readonly askedHash: string
  readonly lookupId: number
  readonly query: LookupQuery
}

interface Loop {
  readonly db: Db
  readonly project: Project
  readonly runId: number
  readonly client: ReconciliationClient
  readonly batchSize: number
}

/** The work of a run, planned and cut into batches that any engine may do, each once and in any order. */
export interface PlainWork {
  readonly batches: number
  /** @returns how many records were decided */
  readonly match: (batch: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** Plans a project whose records have one name each. */
export async function openPlainWork(
  db: Db,
  { projectId, batchSize }: Omit<PlainLoopOptions, 'concurrency'>,
): Promise<PlainWork> {
  const project = await findProject(db, projectId)
  if (project === undefined) throw new Error(`expected a project ${projectId}`)
  const runId = await plan(db, project)
  const http = createHttpClient({ permits: freely, contact: undefined, version: productVersion })
  const client = createReconciliationClient({
    http,
    url: project.settings.service,
    project: `project/${projectId}`,
  })
  await client.manifest(AbortSignal.timeout(10_000))
  const loop: Loop = { db, project, runId, client, batchSize }
  const batches = batchesByQuestion(await queuedRecords(db, runId), batchSize)
  return {
    batches: batches.length,
    match: (batch) => matchBatch(loop, batches[batch] ?? []),
    async close() {
      await closeRun(db, runId, { status: 'completed' })
      await http.close()
    },
  }
}

/** Matches a project whose records have one name each. @returns how many were decided */
export async function matchPlainly(db: Db, options: PlainLoopOptions): Promise<number> {
  const work = await openPlainWork(db, options)
  let next = 0
  try {
    const decided = await Promise.all(
      Array.from({ length: options.concurrency }, async () => {
        let count = 0
        while (next < work.batches) count += await work.match(next++)
        return count
      }),
    )
    return decided.reduce((sum, count) => sum + count, 0)
  } finally {
    await work.close()
  }
}

async function plan(db: Db, project: Project): Promise<number> {
  const { id: projectId, revision, settings } = project
  const options = defaultRunOptions
  const ids = { workflowId: `plain/${projectId}`, temporalRunId: randomUUID() }
  const run = await openRun(db, { projectId, settingsRevision: revision, options, ...ids })
  await refreshSubjects(db, project)
  await queueDueSubjects(db, { projectId, revision, runId: run.id, options }, options)
  await writeRunLookups(db, { id: run.id, settings }, () => undefined)
  return run.id
}

async function queuedRecords(db: Db, runId: number): Promise<readonly QueuedRecord[]> {
  const { rows } = await sql<QueuedRecord>`
    select s.id as "subjectId", e.source as cells, encode(s.asked_hash, 'hex') as "askedHash",
      l.id as "lookupId", l.query
    from subject s
    join entry e on e.id = s.entry_id
    join subject_lookup sl on sl.subject_id = s.id and sl.position = 0
    join lookup l on l.id = sl.lookup_id
    where s.run_id = ${runId}::bigint and s.status = 'QUEUED'
    order by e.position`.execute(db)
  return rows
}

/** Records of so many lookups each. */
function batchesByQuestion(
  records: readonly QueuedRecord[],
  batchSize: number,
): (readonly QueuedRecord[])[] {
  const byLookup = new Map<number, QueuedRecord[]>()
  for (const record of records) {
    const group = byLookup.get(record.lookupId)
    if (group === undefined) byLookup.set(record.lookupId, [record])
    else group.push(record)
  }
  const groups = [...byLookup.values()]
  return Array.from({ length: Math.ceil(groups.length / batchSize) }, (_, batch) =>
    groups.slice(batch * batchSize, (batch + 1) * batchSize).flat(),
  )
}

async function matchBatch(loop: Loop, batch: readonly QueuedRecord[]): Promise<number> {
  const { db, client, batchSize } = loop
  const queries = new Map(batch.map(({ lookupId, query }) => [lookupId, query]))
  const results: LookupResult[] = []
  await client.ask(
    [...queries].map(([id, query]) => ({ id, query })),
    {
      signal: AbortSignal.timeout(60_000),
      batchSize,
      onAnswer: async (answers) => {
        results.push(...answers)
        const answered = answers.filter((answer) => answer.status === 'answered')
        await storeAnswers(
          db,
          answered.map((answer) => ({ ...answer, serviceVersionId: null })),
        )
      },
    },
  )
  return decide(loop, answeredRecords(batch, results))
}

type AnsweredRecord = AskedRecord & Pick<QueuedRecord, 'subjectId' | 'askedHash'>

function answeredRecords(
  batch: readonly QueuedRecord[],
  results: readonly LookupResult[],
): readonly AnsweredRecord[] {
  const lists = new Map(
    results.flatMap((result) => (result.status === 'answered' ? [[result.id, result.list]] : [])),
  )
  return batch.map(({ subjectId, askedHash, cells, lookupId }) => {
    const list = lists.get(lookupId) ?? null
    const status = list === null ? 'missing' : 'answered'
    const answer = { position: 0, status, list, errorCode: null, errorMessage: null } as const
    return {
      subjectId,
      askedHash,
      cells,
      answers: [answer],
      lookupIds: [lookupId],
      past: noPast,
    }
  })
}

async function decide(
  { db, project, runId }: Loop,
  records: readonly AnsweredRecord[],
): Promise<number> {
  const { settings, revision } = project
  const { service } = settings
  const decided = groupAlike(records, settings).flatMap(({ first, all }) => {
    const verdict = judgeSubject(first, settings)
    if (verdict.kind !== 'decided') return []
    const { decision } = verdict
    return all.map(({ subjectId, askedHash }) => ({
      subjectId,
      askedHash,
      refreshFailure: null,
      decision,
    }))
  })
  const seen = decided.flatMap(({ decision }) =>
    [decision.best, decision.runnerUp].flatMap((named) =>
      named === null ? [] : [{ ...named, types: [] }],
    ),
  )
  const context = { runId, service, settingsRevision: revision, weightsVersion: WEIGHTS_VERSION }
  await storeDecidedPage(db, context, { decided, failed: [], items: seen }, null)
  return decided.length
}

const freely: Permits = {
  acquire: ({ domain }) =>
    Promise.resolve({ domain, report: () => undefined, giveBack: () => undefined }),
}
