import { ApplicationFailure } from '@temporalio/common'
import type { Db } from '../db/connect.ts'
import { findProject, type Project } from '../db/projects.repo.ts'

/** @throws ApplicationFailure `unknown_project`, never retried: it was deleted meanwhile */
export async function existingProject(db: Db, projectId: number): Promise<Project> {
  const project = await findProject(db, projectId)
  if (project !== undefined) return project
  throw ApplicationFailure.nonRetryable(`There is no project ${projectId}.`, 'unknown_project')
}
