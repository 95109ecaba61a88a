import type { Db } from '../../db/connect.ts'
import { typeReports } from '../../db/extract-report.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import type { ToProjectFlags } from '../commands/extract-to-project.ts'
import { createNewProject } from '../projects/create-new-project.ts'
import { oneType } from './one-type.ts'
import { knownExtraction } from './reconcile-extraction.ts'

/** The command `extract to-project`. */
export async function runExtractToProject(
  runId: number,
  contentType: string | undefined,
  flags: ToProjectFlags,
): Promise<void> {
  const dataset = await withCommandContext(({ db }) => landedDataset(db, runId, contentType))
  await createNewProject({ ...flags, dataset }, true)
}

/** The dataset that a type of a run became. @throws UsageError `not_landed`, and those of `oneType` */
async function landedDataset(
  db: Db,
  runId: number,
  contentType: string | undefined,
): Promise<string> {
  const run = await knownExtraction(db, runId)
  const { name } = oneType(run, contentType)
  const type = (await typeReports(db, runId)).find((one) => one.type === name)
  if (type !== undefined && type.landed !== null) return type.dataset
  throw new UsageError({
    code: 'not_landed',
    message: `The items of ${name} in extraction ${runId} are no records yet; expected a list that has ended.`,
    hint: `How it stands: ./record-linker extract status ${runId}`,
  })
}
