/** Import and export against a database of the test file's own, from text to text. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportResults, type ExportRequest } from '../../src/client/export/export-results.ts'
import {
  importRecords,
  type ImportReport,
  type ImportRequest,
} from '../../src/client/import/import-records.ts'
import { refreshProjects } from '../../src/client/import/refresh-projects.ts'
import { applyMapping } from '../../src/client/mapping/apply-mapping.ts'
import type { MappingChanges } from '../../src/client/mapping/mapping-file.ts'
import { connectDatabase, type Db } from '../../src/db/connect.ts'
import { createProject, findProject, type Project } from '../../src/db/projects.repo.ts'
import { type ByteSource, fileSource } from '../../src/tabular/byte-source.ts'
import { createTempDatabase } from './temp-database.ts'

export interface ImportOptions {
  /** Default `id`; null: none. */
  readonly id?: readonly string[] | null
  readonly append?: boolean
  readonly isTrial?: boolean
  readonly readers?: ImportRequest['readers']
  readonly earlier?: ImportRequest['earlier']
  /** Called between the look at the file and the import. */
  readonly onTable?: () => void
}

export interface ImportBench {
  readonly db: Db
  /** Imports text or bytes as a file, or a source as it is. */
  readonly import: (
    dataset: string,
    content: string | Buffer | ByteSource,
    options?: ImportOptions,
  ) => Promise<ImportReport>
  /** What the file of rejected lines of the last import says; null: there is none. */
  readonly rejected: () => Promise<string | null>
  /** Default service: `sample`. */
  readonly project: (
    datasetId: number,
    mapping?: MappingChanges,
    service?: string,
  ) => Promise<Project>
  readonly export: (project: Project, request?: Partial<ExportRequest>) => Promise<string>
  readonly close: () => Promise<void>
}

export async function createImportBench(): Promise<ImportBench> {
  const database = await createTempDatabase()
  const db = connectDatabase(database.url)
  const folder = await mkdtemp(join(tmpdir(), 'record-linker-import-'))
  const file = join(folder, 'file.csv')
  const rejectedPath = `${file}.rejected.csv`
  return {
    db,
    async import(datasetName, content, options = {}) {
      await rm(rejectedPath, { force: true })
      const isSource = typeof content === 'object' && 'open' in content
      if (!isSource) await writeFile(file, content)
      const request: ImportRequest = {
        source: isSource ? content : await fileSource(file),
        format: {},
        datasetName,
        idColumns: options.id === null ? undefined : (options.id ?? ['id']),
        append: options.append ?? false,
        isTrial: options.isTrial ?? false,
        readers: options.readers ?? [],
        earlier: options.earlier,
        rejectedPath,
      }
      return importRecords(db, request, options.onTable)
    },
    rejected: () => readFile(rejectedPath, 'utf8').catch(() => null),
    async project(datasetId, mapping = { name: 'name' }, service = 'sample') {
      const settings = { ...applyMapping(mapping, null), service }
      const id = await createProject(db, { name: 'test', datasetId, settings })
      const project = id === undefined ? undefined : await findProject(db, id)
      if (project === undefined) throw new Error('expected a new project')
      await refreshProjects(db, [project])
      return project
    },
    async export(project, request = {}) {
      const pieces: (string | Buffer)[] = []
      await exportResults(
        db,
        project,
        {
          format: 'csv',
          prefix: 'match_',
          statuses: [],
          excel: false,
          includeAbsent: false,
          properties: [],
          ...request,
        },
        {
          write: async (text) => void pieces.push(text),
          finish: async () => undefined,
          discard: async () => undefined,
        },
      )
      return pieces.join('')
    },
    async close() {
      await db.destroy()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
