import { type Command, InvalidArgumentError } from 'commander'
import type { Db } from '../db/connect.ts'
import type { Project } from '../db/projects.repo.ts'
import { UsageError } from '../errors.ts'

/** A project's number, for commander. */
export function projectId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected the number of a project, such as 123.')
}

/** `--project ID`, which must be given. */
export function addProjectFlag(command: Command): Command {
  return command.requiredOption('--project <id>', 'number of the project', projectId)
}

/** @throws UsageError `unknown_project` */
export async function knownProject(db: Db, id: number): Promise<Project> {
  // Loaded late: the flags above are part of every `--help`.
  const { findProject } = await import('../db/projects.repo.ts')
  const project = await findProject(db, id)
  if (project !== undefined) return project
  throw new UsageError({
    code: 'unknown_project',
    message: `There is no project ${id}.`,
    hint: 'See which there are: ./record-linker project list',
  })
}
