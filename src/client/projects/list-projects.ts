import { listProjects } from '../../db/projects.repo.ts'
import { countProject } from '../../db/run-progress.repo.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, tableText } from '../output.ts'

/** The command `project list`. */
export async function listAllProjects(output: OutputFormat): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const projects = await listProjects(db)
    const rows = await Promise.all(
      projects.map(async ({ id, name, datasetName, settings, revision }) => {
        const { total, completed, matched, failed } = await countProject(db, id)
        const records = { total, completed, matched, failed }
        const { service } = settings
        return { project: id, name, dataset: datasetName, service, revision, records }
      }),
    )
    printAnswer(output, rows, () =>
      tableText(
        ['project', 'name', 'dataset', 'service', 'records', 'done', 'matched', 'failed'],
        rows.map(({ project, name, dataset, service, records }) => {
          const { total, completed, matched, failed } = records
          return [project, name, dataset, service, total, completed, matched, failed]
        }),
      ),
    )
  })
}
