import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { findService } from '../../db/services.repo.ts'
import { say } from '../output.ts'
import { fileSink } from '../text-sink.ts'
import { refuseOtherFiles } from './earlier-export.ts'
import { openRefineOperations, type OpenRefineService } from './openrefine-operations.ts'

/** The public reconciliation service of Wikidata, as OpenRefine ships it. */
const publicService = (language: string) => `https://wikidata.reconci.link/${language}/api`

/** Writes the operations next to the export, and says how both are used. */
export async function sayOpenRefine(
  db: Db,
  project: Project,
  { prefix, force }: { readonly prefix: string; readonly force?: true },
  path: string | null,
): Promise<void> {
  const service = await openRefineService(db, project)
  if (path === null || service === null) {
    say('How OpenRefine makes reconciled cells of it: ./record-linker export --help')
    return
  }
  const operationsPath = `${path}.operations.json`
  if (force !== true) await refuseOtherFiles(operationsPath, 'core/recon-use-values-as-identifiers')
  const sink = await fileSink(operationsPath)
  try {
    const operations = openRefineOperations(prefix, service)
    await sink.write(`${JSON.stringify(operations, null, 2)}\n`)
    await sink.finish()
  } catch (error) {
    await sink.discard()
    throw error
  }
  say(`Next: in OpenRefine create a project of ${path}, then paste ${operationsPath}`)
  say('into Undo/Redo, Apply …: matched and new records become reconciled cells.')
}

async function openRefineService(db: Db, { settings }: Project): Promise<OpenRefineService | null> {
  const { service, languages } = settings
  const facts = await findService(db, service)
  if (facts === null) return null
  const url = /^https?:\/\//i.test(service) ? service : publicService(languages[0] ?? 'en')
  return { ...facts, url }
}
