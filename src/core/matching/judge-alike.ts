import type { AnsweredRecord } from './judge-subject.ts'
import { mappedColumns } from './mapped-record.ts'
import type { ProjectSettings } from '../project-settings.ts'

/** A record of which is known which lookups its answers are of. */
export interface AskedRecord extends AnsweredRecord {
  /** Of its answers, in their order. */
  readonly lookupIds: readonly number[]
}

/** Records that cannot but be judged alike: the same in every cell that is read, in their answers and in their past. */
export interface AlikeRecords<T extends AskedRecord> {
  /** Stands for all. */
  readonly first: T
  readonly all: readonly T[]
}

/** Puts records with one verdict together: large files name the same thing many times. In order of the first ones. */
export function groupAlike<T extends AskedRecord>(
  records: readonly T[],
  settings: ProjectSettings,
): readonly AlikeRecords<T>[] {
  const columns = mappedColumns(settings)
  const groups = new Map<string, T[]>()
  for (const record of records) {
    const { cells, lookupIds, past } = record
    // What it was matched with before may have been found by another mapping, which reads other columns.
    const read =
      past.match === null
        ? columns.map((name) => (Object.hasOwn(cells, name) ? cells[name] : null))
        : cells
    const key = JSON.stringify([read, lookupIds, past])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [record])
    else group.push(record)
  }
  return [...groups.values()].flatMap((all) => (all[0] ? [{ first: all[0], all }] : []))
}
