import { heartbeat } from '@temporalio/activity'
import type { RunOptions } from '../core/run.ts'
import type { ScheduledMatchOutcome } from '../core/scheduled-match.ts'
import type { Db } from '../db/connect.ts'
import { countDue } from '../db/due-subjects.ts'
import { planPages } from '../db/plan-page.ts'
import { findProject, type Project } from '../db/projects.repo.ts'
import { refreshSubjects } from '../db/subject-refresh.ts'
import type { ScheduleActivities } from './activity-contracts.ts'
import { withHeartbeat } from './heartbeat.ts'
import { withFailures } from './to-failure.ts'

/** Starts matches as the command line does. */
export interface MatchStarter {
  start(
    project: Project,
    options: RunOptions,
  ): Promise<Extract<ScheduledMatchOutcome, 'started' | 'joined' | 'other_run_open'>>
  removeSchedule(projectId: number): Promise<void>
}

export interface ScheduleActivityDeps {
  readonly db: Db
  readonly starter: MatchStarter
}

export function createScheduleActivities({
  db,
  starter,
}: ScheduleActivityDeps): ScheduleActivities {
  return {
    startScheduledMatch: ({ projectId, options }) =>
      withFailures(() =>
        withHeartbeat(async () => {
          const project = await findProject(db, projectId)
          if (project === undefined) {
            await starter.removeSchedule(projectId)
            return { outcome: 'project_gone' }
          }
          // As for a person: who finds nothing to do opens no run.
          if (!(await isAnythingDue(db, project, options))) return { outcome: 'nothing_due' }
          return { outcome: await starter.start(project, options) }
        }),
      ),
  }
}

async function isAnythingDue(db: Db, project: Project, options: RunOptions): Promise<boolean> {
  await refreshSubjects(
    db,
    project,
    planPages(() => heartbeat()),
  )
  const { refreshOlderThanMs } = options
  const { due } = await countDue(db, {
    projectId: project.id,
    revision: project.revision,
    runId: null,
    options,
    refreshBefore: refreshOlderThanMs == null ? null : new Date(Date.now() - refreshOlderThanMs),
  })
  return Object.values(due).some((count) => count > 0)
}
