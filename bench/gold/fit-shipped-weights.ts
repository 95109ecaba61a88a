/** Estimates the shipped weights from half A of the gold sets, all sets of a kind together. */
import { writeFile } from 'node:fs/promises'
import { compareCandidates, prepareRecord } from '../../src/core/matching/compare-candidate.ts'
import { fitWeights, type LabelledRecord } from '../../src/core/matching/fit/fit-weights.ts'
import { ordersOf } from '../../src/core/matching/fit/level-orders.ts'
import { handSetWeights } from '../../src/core/matching/hand-set-weights.ts'
import { mapRecord } from '../../src/core/matching/mapped-record.ts'
import type { KindWeights } from '../../src/core/matching/weights.ts'
import { type EntityKind, entityKinds } from '../../src/core/project-settings.ts'
import type { GoldSet } from './gold-sets.ts'
import { type DecidedRow, settingsOf } from './run-set.ts'

export interface LabelledKind {
  readonly kind: EntityKind
  readonly records: readonly LabelledRecord[]
}

/** The records of half A with the levels of each candidate they were shown. */
export function labelledRecords(set: GoldSet, rows: readonly DecidedRow[]): LabelledKind {
  const settings = settingsOf(set)
  const records = rows
    .filter(({ half }) => half === 'A')
    .map(({ cells, seen, expected }): LabelledRecord => {
      const record = prepareRecord(mapRecord(cells, settings), set.kind)
      const right = seen.findIndex(({ id }) => id === expected)
      const candidates = compareCandidates(record, seen).map((levels) =>
        levels.flatMap(({ keys }) => keys),
      )
      const isEqual = candidates[right]?.includes('name.equal') ?? false
      return {
        candidates,
        right: right < 0 ? null : right,
        weight: isEqual ? set.equalNameWeight : 1,
      }
    })
  return { kind: set.kind, records }
}

/** Writes `fitted-weights.ts`: of each kind with labelled records, what differs from the weights set by hand. */
export async function writeFittedWeights(
  path: string,
  version: string,
  labelled: readonly LabelledKind[],
): Promise<void> {
  const kinds = entityKinds.flatMap((kind): [EntityKind, KindWeights][] => {
    const records = labelled.filter((one) => one.kind === kind).flatMap((one) => one.records)
    if (records.length === 0) return []
    const start = handSetWeights[kind]
    const { prior, bits, lossBefore, lossAfter } = fitWeights(records, start, {
      orders: ordersOf(kind),
    })
    process.stderr.write(
      `${kind}: ${records.length} records, surprise ${lossBefore.toFixed(3)} → ${lossAfter.toFixed(3)} bits\n`,
    )
    const learned = Object.entries(bits).filter(([level, weight]) => weight !== start.bits[level])
    return [[kind, { prior, bits: Object.fromEntries(learned) }]]
  })
  const data = JSON.stringify({ version, kinds: Object.fromEntries(kinds) }, null, 2)
  await writeFile(
    path,
    `/** Written by \`bench:gold --fit\` from half A of the gold sets (docs/matching.md). */\n` +
      `import type { FittedWeights } from './weights.ts'\n\nexport const fittedWeights: FittedWeights = ${data}\n`,
  )
}
