import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { refreshSubjects } from '../../db/subject-refresh.ts'

export interface RefreshedProjectCounts {
  readonly project: number
  /** Records it had not before. */
  readonly new: number
  /** Records whose mapped cells changed: decided ones are decided again by the next start, judged ones are stale. */
  readonly changed: number
}

/** Brings projects up to date with their dataset and settings. */
export async function refreshProjects(
  db: Db,
  projects: readonly Project[],
): Promise<readonly RefreshedProjectCounts[]> {
  const counts: RefreshedProjectCounts[] = []
  for (const project of projects) {
    const { created, changed } = await refreshSubjects(db, project)
    counts.push({ project: project.id, new: created, changed })
  }
  return counts
}
