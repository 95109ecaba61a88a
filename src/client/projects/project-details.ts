import type { Db } from '../../db/connect.ts'
import { countDueTotal } from '../../db/due-total.ts'
import { readPace } from '../../db/pace.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { countProject, type ProjectCounts } from '../../db/run-progress.repo.ts'
import { mappingFileOf } from '../mapping/apply-mapping.ts'

/** A project with its settings, its records, and what the next start would do. */
export interface ProjectDetails {
  readonly project: number
  readonly name: string
  readonly about: string | null
  readonly dataset: string
  readonly service: string
  readonly revision: number
  readonly after: Project['after']
  readonly pace: NonNullable<Awaited<ReturnType<typeof readPace>>> | null
  readonly mapping: ReturnType<typeof mappingFileOf>
  readonly records: ProjectCounts
  /** Records that the next start would decide. */
  readonly due: number
}

export async function projectDetails(db: Db, project: Project): Promise<ProjectDetails> {
  const { id } = project
  const { service, ...mapping } = project.settings
  const [pace, records, due] = await Promise.all([
    readPace(db, id),
    countProject(db, id),
    countDueTotal(db, project),
  ])
  return {
    project: id,
    name: project.name,
    about: project.about,
    dataset: project.datasetName,
    service,
    revision: project.revision,
    after: project.after,
    pace: pace ?? null,
    mapping: mappingFileOf(mapping),
    records,
    due,
  }
}
