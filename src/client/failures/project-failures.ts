import type { Db } from '../../db/connect.ts'
import { type FailureGroup, failureGroups } from '../../db/failures.repo.ts'
import { type WayOut, wayOut } from './way-out.ts'

/** Records that failed of the same, and what can be done about it. */
export type ProjectFailure = FailureGroup & WayOut

/** What failed in a project, the most frequent first. */
export async function projectFailures(
  db: Db,
  projectId: number,
): Promise<readonly ProjectFailure[]> {
  const groups = await failureGroups(db, projectId)
  return groups.map((group) => ({
    ...group,
    ...wayOut(projectId, group.code, group.example.entry),
  }))
}
