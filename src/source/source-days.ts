import type { RecordKey } from './record-shapes.ts'
import { seededChoices } from './seeded-choices.ts'
import { type SourceKind, sourceKinds, type SourceSize } from './source-size.ts'

export type SourceDay = Readonly<Record<SourceKind, readonly RecordKey[]>>

const CHANGED_PER_DAY = 0.02
const ADDED_PER_DAY = 0.01
const REMOVED_PER_DAY = 0.01
/** Kinds that stay as they were. */
const LASTING: ReadonlySet<SourceKind> = new Set(['models'])

/**
 * What there is on a day, in the order of the ids. Each day after the first some records of most kinds change, some
 * come and some go, at least one of each; which ones, the seed decides.
 * @param day from 1
 */
export function sourceDay(seed: number, size: SourceSize, day: number): SourceDay {
  const living = {
    users: firstDay('users', size),
    groups: firstDay('groups', size),
    folders: firstDay('folders', size),
    looks: firstDay('looks', size),
    dashboards: firstDay('dashboards', size),
    models: firstDay('models', size),
  }
  const lastNumbers = { ...size }
  for (let today = 2; today <= day; today += 1) {
    for (const kind of sourceKinds) {
      if (LASTING.has(kind) || living[kind].length === 0) continue
      living[kind] = nextDay(seed, kind, living[kind], today, lastNumbers)
    }
  }
  return living
}

function firstDay(kind: SourceKind, size: SourceSize): readonly RecordKey[] {
  return Array.from({ length: size[kind] }, (_, index) => ({
    kind,
    number: index + 1,
    revision: 1,
  }))
}

function nextDay(
  seed: number,
  kind: SourceKind,
  before: readonly RecordKey[],
  today: number,
  lastNumbers: Record<SourceKind, number>,
): readonly RecordKey[] {
  const choices = seededChoices(seed, `day ${today} ${kind}`)
  const share = (part: number): number => Math.max(1, Math.round(before.length * part))
  const records = [...before]
  for (let left = share(REMOVED_PER_DAY); left > 0; left -= 1) {
    records.splice(choices.below(records.length), 1)
  }
  const changed = new Set<number>()
  while (changed.size < Math.min(share(CHANGED_PER_DAY), records.length)) {
    changed.add(choices.below(records.length))
  }
  for (const index of changed) {
    const record = records[index]
    if (record !== undefined) records[index] = { ...record, revision: today }
  }
  for (let left = share(ADDED_PER_DAY); left > 0; left -= 1) {
    lastNumbers[kind] += 1
    records.push({ kind, number: lastNumbers[kind], revision: today })
  }
  return records
}
