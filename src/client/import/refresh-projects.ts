import type { Db } from '../../db/connect.ts'
import { bringEarlierJudgments, type EarlierJudgments } from '../../db/earlier-judgments.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { refreshSubjects } from '../../db/subject-refresh.ts'

export interface RefreshedProjectCounts {
  readonly project: number
  /** Records it had not before. */
  readonly new: number
  /** Records whose mapped cells changed: decided ones are decided again by the next start, judged ones are stale. */
  readonly changed: number
  /** Only where a column has earlier matches that are taken as judged. */
  readonly judgments?: EarlierJudgments
}

/** Brings projects up to date with their dataset and settings. */
export async function refreshProjects(
  db: Db,
  projects: readonly Project[],
): Promise<readonly RefreshedProjectCounts[]> {
  const counts: RefreshedProjectCounts[] = []
  for (const project of projects) {
    const { created, changed } = await refreshSubjects(db, project)
    const judgments = await bringEarlierJudgments(db, project)
    counts.push({
      project: project.id,
      new: created,
      changed,
      ...(judgments === undefined ? {} : { judgments }),
    })
  }
  return counts
}

/** For people: what the column of earlier matches brought. */
export function judgmentsText({
  written,
  unchanged,
  unreadable,
  column,
}: EarlierJudgments): string {
  return `judgments from column "${column}": ${written} new, ${unchanged} said before, ${unreadable} cells without an item id`
}
