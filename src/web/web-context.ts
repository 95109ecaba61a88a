import type { Client } from '@temporalio/client'
import type { MatchContext } from '../client/match/match-context.ts'
import { type LimitsContext } from '../client/limits/limits-context.ts'
import { limitsPlace, readLimitsFile } from '../client/limits/limits-file.ts'
import { reconciledRun } from '../client/match/reconcile-run.ts'
import type { GrowingProject } from '../client/match/growing-project.ts'
import type { CandidateType } from '../db/candidate-types.repo.ts'
import type { Db } from '../db/connect.ts'
import { latestRun, type Run } from '../db/runs.repo.ts'
import type { ScoreBar } from '../db/score-histogram.repo.ts'
import { UnavailableError } from '../errors.ts'
import type { KeptFigures } from './kept-figures.ts'

/** What answers are made from. */
export interface WebContext {
  readonly config: MatchContext['config']
  readonly stack: MatchContext['stack']
  readonly db: Db
  /**
   * Connected when first needed: what is only read needs no Temporal.
   * @throws UnavailableError `temporal_unreachable`
   */
  readonly temporal: () => Promise<Client>
  /** Of the workers that do the work; default `record-linker`. */
  readonly taskQueue?: string
  /** Store of files that no queue names another for; default: in the home of this program. */
  readonly artifacts?: string
  /** What thresholds are tried on. */
  readonly weighed: KeptFigures<GrowingProject>
  readonly scoreBars: KeptFigures<readonly ScoreBar[]>
  readonly types: KeptFigures<readonly CandidateType[]>
}

/** As the commands on matches have it. */
export async function matchContext(context: WebContext): Promise<MatchContext> {
  const { config, stack, db, temporal } = context
  return { config, stack, db, client: await temporal() }
}

/** As the commands on limits have it; a file that is not understood is left out. */
export async function limitsContext({ config, db, temporal }: WebContext): Promise<LimitsContext> {
  return { client: await temporal(), db, file: readLimitsFile(limitsPlace(config)) }
}

/** The latest run of a project as Temporal knows it; while Temporal is away, as it is written down. */
export async function currentRun(context: WebContext, projectId: number): Promise<Run | undefined> {
  const run = await latestRun(context.db, projectId)
  if (run?.status !== 'open') return run
  try {
    return await reconciledRun(await context.temporal(), context.db, projectId)
  } catch (error) {
    if (error instanceof UnavailableError) return run
    throw error
  }
}
