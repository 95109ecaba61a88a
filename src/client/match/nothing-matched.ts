import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'

/** For what is asked about matched items. */
export function nothingMatched({ id }: Pick<Project, 'id'>): UsageError {
  return new UsageError({
    code: 'nothing_matched',
    message: `Project ${id} has no matched items to ask about.`,
    hint: `Match first: ./record-linker start-match --project ${id}`,
  })
}
