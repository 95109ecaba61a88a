import type { Client } from '@temporalio/client'
import type { RunOptions } from '../../core/run.ts'
import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { startMatch } from '../match/start-match.ts'
import { changeSchedule } from './temporal-schedule.ts'

/** How a worker starts the match that a schedule wants. @param taskQueue default `record-linker` */
export function createMatchStarter(client: Client, taskQueue?: string) {
  return {
    async start(
      { id, name, revision }: Project,
      options: RunOptions,
    ): Promise<'started' | 'joined' | 'other_run_open'> {
      try {
        const { attached } = await startMatch(client, {
          projectId: id,
          projectName: name,
          settingsRevision: revision,
          options,
          ...(taskQueue === undefined ? {} : { taskQueue }),
        })
        return attached ? 'joined' : 'started'
      } catch (error) {
        if (error instanceof UsageError && error.code === 'other_run_open') return 'other_run_open'
        throw error
      }
    },
    async removeSchedule(projectId: number): Promise<void> {
      await changeSchedule(client, projectId, 'remove')
    },
  }
}
