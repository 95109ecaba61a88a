import type { FailedPick } from '../../core/run.ts'
import type { Db } from '../../db/connect.ts'
import { type NamedEntry, namedEntries } from '../../db/failures.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { UsageError } from '../../errors.ts'
import { say } from '../output.ts'

/** Which failed records are meant; with both, those that fit both. */
export interface PickFlags {
  readonly code?: readonly string[] | undefined
  readonly entry?: readonly string[] | undefined
}

/** Their numbers go into the history of the run. */
const MOST_NAMED = 500

/**
 * The failed records that flags name, by number: an id is cell text, which no workflow sees. Those that did not fail
 * are said and left out.
 * @param alsoSetAside a named record that was set aside counts too
 * @param tell of those that are left out
 * @returns null when nothing is named
 * @throws UsageError `unknown_entry`, `too_many_entries`
 */
export async function failedPick(
  db: Db,
  project: Project,
  { code, entry }: PickFlags,
  alsoSetAside: boolean,
  tell: (line: string) => void = say,
): Promise<FailedPick | null> {
  if (code === undefined && entry === undefined) return null
  // In one order: two starts that pick the same are the same run.
  const codes = code === undefined ? null : [...new Set(code)].toSorted()
  if (entry === undefined) return { codes, subjectIds: null }
  const wanted = [...new Set(entry)]
  if (wanted.length > MOST_NAMED) throw tooMany(wanted.length)
  const found = await namedEntries(db, project, wanted)
  const known = new Set(found.map((one) => one.entry))
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length > 0) throw unknownEntries(project, unknown)
  const takes = ({ status }: NamedEntry) =>
    status === 'failed' || (alsoSetAside && status === 'skipped')
  for (const one of found) {
    if (!takes(one)) tell(`${one.entry} stands as ${one.status}, not as failed: left as it is.`)
  }
  const subjectIds = found.filter(takes).flatMap(({ subjectId }) => subjectId ?? [])
  return { codes, subjectIds: subjectIds.toSorted((a, b) => a - b) }
}

function unknownEntries({ id, datasetName }: Project, entries: readonly string[]): UsageError {
  return new UsageError({
    code: 'unknown_entry',
    message: `Dataset "${datasetName}" of project ${id} has no record ${entries.map((one) => JSON.stringify(one)).join(', ')}.`,
    hint: `What failed, with an example of each kind: ./record-linker failures --project ${id}`,
  })
}

function tooMany(count: number): UsageError {
  return new UsageError({
    code: 'too_many_entries',
    message: `${count} records were named with --entry; expected at most ${MOST_NAMED}.`,
    hint: 'Name them by what they failed of, with --code, or in several commands.',
  })
}
