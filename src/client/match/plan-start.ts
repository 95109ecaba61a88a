import type { RunOptions } from '../../core/run.ts'
import { countDue, type DueCounts } from '../../db/due-subjects.ts'
import type { Project } from '../../db/projects.repo.ts'
import type { Run } from '../../db/runs.repo.ts'
import { refreshSubjects } from '../../db/subject-refresh.ts'
import type { MatchContext } from './match-context.ts'
import { missingContact } from './missing-contact.ts'
import { reconciledRun } from './reconcile-run.ts'

/** What a start finds before it starts anything. */
export interface StartPlan {
  /** The last run of the project; an open one is joined. */
  readonly lastRun: Run | undefined
  /** Null: a run is open, and what is due beside it is not asked. */
  readonly due: DueCounts | null
  /** A start would find nothing to do. */
  readonly isIdle: boolean
}

/** @throws UsageError `contact_required` */
export function checkContact(
  context: MatchContext,
  project: Project,
  options: Pick<RunOptions, 'rescore'>,
): void {
  const refusal = options.rescore ? null : missingContact(context, project)
  if (refusal !== null) throw refusal
}

/** Looks at what a start with these options would do. */
export async function planStart(
  context: MatchContext,
  project: Project,
  options: RunOptions,
): Promise<StartPlan> {
  const lastRun = await reconciledRun(context.client, context.db, project.id)
  if (lastRun?.status === 'open') return { lastRun, due: null, isIdle: false }
  const due = await dueOf(context, project, options)
  return { lastRun, due, isIdle: Object.values(due.due).every((count) => count === 0) }
}

/** Brings the project up to date with its dataset, and counts. */
export async function dueOf(
  { db }: Pick<MatchContext, 'db'>,
  project: Project,
  options: RunOptions,
): Promise<DueCounts> {
  await refreshSubjects(db, project)
  return countDue(db, {
    projectId: project.id,
    revision: project.revision,
    runId: null,
    options,
    refreshBefore: momentBefore(options.refreshOlderThanMs),
  })
}

/** Null for no age. */
export function momentBefore(ageMs: number | null | undefined): Date | null {
  return ageMs == null ? null : new Date(Date.now() - ageMs)
}
