/** An extraction as the tests run it: started as the command does, awaited, and read from the database. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readExtractionReport } from '../../../src/client/extract/extraction-report.ts'
import { reconciledExtraction } from '../../../src/client/extract/reconcile-extraction.ts'
import {
  reopenExtraction,
  type ResumeChanges,
} from '../../../src/client/extract/resume-extraction.ts'
import { beginExtraction, startExtraction } from '../../../src/client/extract/start-extraction.ts'
import { checkConfig, type ParallelConfig } from '../../../src/core/extract/parallel-config.ts'
import type { SourceProfile } from '../../../src/core/extract/source-profile.ts'
import {
  type ExtractRun,
  findExtractRun,
  type NewExtractRun,
} from '../../../src/db/extract-runs.repo.ts'
import type { MatchServer } from '../../support/match-server.ts'

export interface WantedExtraction {
  readonly profile: SourceProfile
  readonly dataset?: string
  readonly config?: Partial<ParallelConfig>
  readonly mostAbsentPercent?: number
  readonly maxAttempts?: number
  readonly giveUpAfterMs?: number
  readonly rereads?: number
}

export function newDataset(): string {
  return `extracted-${randomUUID().slice(0, 8)}`
}

export function wantedRun(wanted: WantedExtraction): NewExtractRun {
  const { profile, dataset = newDataset(), config = {} } = wanted
  return {
    profile,
    dataset,
    types: profile.types.map(({ name }) => name),
    options: {
      config: checkConfig(config).config,
      maxAttempts: wanted.maxAttempts ?? 3,
      mostAbsentPercent: wanted.mostAbsentPercent ?? 20,
      giveUpAfterMs: wanted.giveUpAfterMs ?? 24 * 60 * 60 * 1000,
      rereads: wanted.rereads ?? 0,
    },
  }
}

export async function begin({ bench }: MatchServer, wanted: NewExtractRun) {
  return startExtraction(bench.client, bench.db, wanted, bench.taskQueue)
}

/** Runs an extraction to its end. */
export async function extract(server: MatchServer, wanted: WantedExtraction) {
  const { runId, handle } = await begin(server, wantedRun(wanted))
  await handle.result()
  return reportOf(server, runId)
}

/** Resumes an extraction that has ended, and awaits its end. */
export async function resume(
  { bench: { client, db, taskQueue } }: MatchServer,
  runId: number,
  changes: ResumeChanges = {},
): Promise<void> {
  await reopenExtraction(db, await reconciledExtraction(client, db, runId), changes)
  await (await beginExtraction(client, runId, taskQueue)).result()
}

export async function reportOf({ bench: { db } }: MatchServer, runId: number) {
  const run = await findExtractRun(db, runId)
  if (run === undefined) throw new Error(`no extraction ${runId}`)
  return { run, report: await readExtractionReport(db, run) }
}

/** Ids and whether they are absent, in the order of the dataset. */
export async function entriesOf({ bench: { db } }: MatchServer, dataset: string) {
  const rows = await db
    .selectFrom('entry')
    .innerJoin('dataset', 'dataset.id', 'entry.dataset_id')
    .where('dataset.name', '=', dataset)
    .select(['external_id as id', 'source', 'absent_since as absentSince'])
    .orderBy('position')
    .orderBy('external_id')
    .execute()
  return rows.map(({ id, source, absentSince }) => ({ id, source, isAbsent: absentSince !== null }))
}

export async function presentIds(server: MatchServer, dataset: string) {
  const entries = await entriesOf(server, dataset)
  return entries.filter(({ isAbsent }) => !isAbsent).map(({ id }) => id)
}

/** Resolves when the run looks so. */
export async function until(
  { bench: { client, db } }: MatchServer,
  runId: number,
  seen: (run: ExtractRun) => boolean,
): Promise<ExtractRun> {
  for (;;) {
    const run = await reconciledExtraction(client, db, runId)
    if (seen(run)) return run
    await sleep(50)
  }
}
