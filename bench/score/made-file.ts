/** Made records as files that `import` reads. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeCells, type MadeKind, madeSettings } from './made-records.ts'

export interface MadeFile {
  readonly records: string
  readonly mapping: string
}

/** @param subjectOf Which subject an entry is about */
export function writeMadeFile(
  folder: string,
  kind: MadeKind,
  entries: number,
  subjectOf: (entry: number) => number,
): MadeFile {
  const { mapping, kind: entityKind } = madeSettings(kind)
  const columns = ['name', ...mapping.properties.flatMap((property) => property.columns)]
  const line = (entry: number): string => {
    const cells = madeCells(kind, subjectOf(entry))
    return [`e${entry}`, ...columns.map((name) => `"${cells[name] ?? ''}"`)].join(',')
  }
  const lines = Array.from({ length: entries }, (_, entry) => line(entry))
  const files = { records: join(folder, 'records.csv'), mapping: join(folder, 'mapping.json') }
  writeFileSync(files.records, [['id', ...columns].join(','), ...lines, ''].join('\n'))
  writeFileSync(files.mapping, JSON.stringify({ ...mapping, kind: entityKind }))
  return files
}

/** The arguments of `import` for a project that is matched against `url`. */
export function importArgs(file: MadeFile, project: string, url: string): readonly string[] {
  const how = ['--project', project, '--service', url, '--id', 'id', '--mapping', file.mapping]
  return ['import', file.records, ...how]
}
