import { canonicalText } from '../../core/canonical-text.ts'
import { changedMark, latestOf } from '../../core/extract/changed-mark.ts'
import {
  type ContentType,
  contentTypeOf,
  datasetNameOf,
  type SourceProfile,
} from '../../core/extract/source-profile.ts'
import type { Db } from '../../db/connect.ts'
import type { NewExtractRun } from '../../db/extract-runs.repo.ts'
import { changeValues, completeReads } from '../../db/read-runs.repo.ts'
import { UsageError } from '../../errors.ts'

/**
 * The run as one that asks only for what has changed since the list was last read whole. A list that never was, or was with
 * other settings of the profile, is read in full.
 * @throws UsageError `no_changed_since`, `no_change_times`
 */
export async function asIncremental(db: Db, wanted: NewExtractRun): Promise<NewExtractRun> {
  const { profile, types, dataset } = wanted
  refuseUnable(profile, types)
  const since: Record<string, string> = {}
  for (const name of types) {
    const mark = await markOf(db, profile, dataset, contentTypeOf(profile, name))
    if (mark !== null) since[name] = mark
  }
  return {
    ...wanted,
    profile: { ...profile, types: profile.types.map((type) => askedSince(type, since[type.name])) },
    options: { ...wanted.options, since },
  }
}

/** What is said of a run before it starts. */
export function incrementalTexts({ types, options: { since } }: NewExtractRun): readonly string[] {
  if (since === undefined) return []
  return types.map((type) => {
    const mark = since[type]
    return mark === undefined
      ? `${type}: read in full; no list that was read before with these settings says what has changed since.`
      : `${type}: only what changed at ${mark} or later; nothing becomes absent.`
  })
}

function refuseUnable(profile: SourceProfile, types: readonly string[]): void {
  const unable = types.filter((name) => contentTypeOf(profile, name).changedSince === undefined)
  if (unable.length === 0) return
  const able = types.filter((name) => !unable.includes(name))
  throw new UsageError({
    code: 'no_changed_since',
    message: `--incremental: the profile ${profile.name} does not say how ${unable.join(', ')} can be asked for what changed; expected "changedSince" with param and field.`,
    hint:
      able.length === 0
        ? 'Leave --incremental out, or add it to the content type (docs/extract.md).'
        : `Read those that can be: --types ${able.join(' ')}`,
  })
}

async function markOf(
  db: Db,
  profile: SourceProfile,
  base: string,
  type: ContentType,
): Promise<string | null> {
  const { changedSince, name } = type
  if (changedSince === undefined) return null
  const dataset = datasetNameOf(profile, base, name)
  const reads = await completeReads(db, { source: profile.name, dataset, type: name }, 2)
  const isAlike = (read: SourceProfile) => asBefore(read, name) === asBefore(profile, name)
  const [last, before] = reads
  if (last === undefined || !isAlike(last.profile)) return null
  const { field } = changedSince
  const lastRead = await changeValues(db, last, type, field)
  // Nothing had changed, or there was nothing.
  if (lastRead === undefined) return last.since
  if (latestOf(lastRead.values) === null) throw noChangeTimes(type, field, lastRead.values[0])
  // One that was resumed later has seen what came later.
  const isBefore =
    before !== undefined && before.endedAt <= last.startedAt && isAlike(before.profile)
  const beforeRead = isBefore ? await changeValues(db, before, type, field) : undefined
  return changedMark(lastRead, beforeRead ?? null)
}

function noChangeTimes(
  { name }: ContentType,
  field: string,
  found: string | undefined,
): UsageError {
  return new UsageError({
    code: 'no_change_times',
    message: `--incremental: items of ${name} have ${found === undefined ? 'nothing' : JSON.stringify(found)} at "${field}"; expected when they last changed, as a time or a number.`,
    hint: 'Correct changedSince of the profile, or leave --incremental out.',
  })
}

/** The content type without what an incremental run adds to it. */
function asBefore(profile: SourceProfile, name: string): string {
  const found = profile.types.find((type) => type.name === name)
  const { [found?.changedSince?.param ?? '']: _, ...params } = found?.params ?? {}
  return canonicalText({ baseUrl: profile.baseUrl, ...found, params })
}

function askedSince(type: ContentType, mark: string | undefined): ContentType {
  return type.changedSince === undefined || mark === undefined
    ? type
    : { ...type, params: { ...type.params, [type.changedSince.param]: mark } }
}
