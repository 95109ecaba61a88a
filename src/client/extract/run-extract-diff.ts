import type { Db } from '../../db/connect.ts'
import { type TypeReport, typeReports } from '../../db/extract-report.repo.ts'
import type { ExtractRun } from '../../db/extract-runs.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { stdoutSink } from '../text-sink.ts'
import {
  diffExtractions,
  type ItemChange,
  itemChangeKinds,
  type TypeChanges,
} from './extraction-diff.ts'
import { knownExtraction } from './reconcile-extraction.ts'

const SHOWN_PER_KIND = 10

/** The command `extract diff`. */
export async function runExtractDiff(
  from: number,
  to: number,
  flags: { readonly type?: readonly string[]; readonly output: OutputFormat },
): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const runs = [await knownExtraction(db, from), await knownExtraction(db, to)] as const
    const types = sharedTypes(runs, flags.type)
    refusePartial(runs, types)
    const changes: ItemChange[] = []
    const shown = new Map<string, number>()
    const sink = stdoutSink()
    const keep = (change: ItemChange): void | Promise<void> => {
      if (flags.output === 'jsonl') return sink.write(`${JSON.stringify(change)}\n`)
      const group = `${change.type} ${change.kind}`
      const before = shown.get(group) ?? 0
      shown.set(group, before + 1)
      if (flags.output === 'json' || before < SHOWN_PER_KIND) changes.push(change)
    }
    const counts = await diffExtractions(db, { from, to, types }, keep)
    if (flags.output !== 'jsonl') {
      printAnswer(flags.output, { from, to, types: counts, changes }, () =>
        diffText(from, to, counts, changes),
      )
    }
    for (const line of await doubts(db, runs, counts)) say(line)
    const [first] = counts
    if (first !== undefined) {
      say(`The items themselves: ./record-linker extract export ${to} --type ${first.type}`)
    }
  })
}

/** @throws UsageError `other_source`, `unknown_type` */
function sharedTypes(
  [before, after]: readonly [ExtractRun, ExtractRun],
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (before.source !== after.source) {
    throw new UsageError({
      code: 'other_source',
      message: `Extraction ${before.id} is of ${before.source}, extraction ${after.id} of ${after.source}; expected two of the same source.`,
      hint: 'See which there are: ./record-linker extract list',
    })
  }
  const shared = after.types.filter((type) => before.types.includes(type))
  const unknown = wanted?.filter((type) => !shared.includes(type)) ?? []
  if (shared.length > 0 && unknown.length === 0) {
    return wanted === undefined ? shared : shared.filter((type) => wanted.includes(type))
  }
  throw new UsageError({
    code: 'unknown_type',
    message:
      shared.length === 0
        ? `Extractions ${before.id} and ${after.id} have read no content type both.`
        : `Extractions ${before.id} and ${after.id} have not both read ${unknown.join(', ')}.`,
    hint: `Both have: ${shared.join(', ') || 'none'}`,
  })
}

/** Most items would seem to be gone. @throws UsageError `partial_list` */
function refusePartial(runs: readonly ExtractRun[], types: readonly string[]): void {
  for (const { id, options } of runs) {
    const partial = types.find((type) => options.since?.[type] !== undefined)
    if (partial === undefined) continue
    throw new UsageError({
      code: 'partial_list',
      message: `Extraction ${id} has read of ${partial} only what changed (--incremental); expected one that has read all.`,
      hint: `What it has read: ./record-linker extract export ${id} --type ${partial}\nTwo full ones: ./record-linker extract list`,
    })
  }
}

function diffText(
  from: number,
  to: number,
  counts: readonly TypeChanges[],
  changes: readonly ItemChange[],
): string {
  const lines = [
    `Extraction ${from} → extraction ${to}`,
    '',
    tableText(
      ['type', ...itemChangeKinds, 'same'],
      counts.map((of) => [of.type, ...itemChangeKinds.map((kind) => of[kind]), of.same]),
    ),
  ]
  if (changes.length === 0) return lines.join('\n')
  const table = tableText(
    ['type', 'change', 'item', 'fields'],
    changes.map(({ type, kind, id, fields }) => [type, kind, id, fields.join(', ')]),
  )
  const isAll =
    changes.length ===
    counts.reduce((sum, of) => sum + of.added + of.changed + of.removed + of.unclear, 0)
  return [...lines, '', table, ...(isAll ? [] : ['…', 'All of them: -o jsonl'])].join('\n')
}

/** What the numbers cannot tell: a list that was not whole has neither all of its items nor all of its changes. */
async function doubts(
  db: Db,
  runs: readonly ExtractRun[],
  counts: readonly TypeChanges[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { id } of runs) {
    const types = await typeReports(db, id)
    const isMeant = ({ type, state }: TypeReport) =>
      state !== 'complete' && counts.some((of) => of.type === type)
    for (const { type, state } of types.filter(isMeant)) {
      lines.push(
        `In extraction ${id} the list of ${type} is ${state}: items may seem added or removed that are not.`,
      )
    }
  }
  if (counts.some(({ unclear }) => unclear > 0)) {
    lines.push('unclear: the details of the item could not be read in one of the two.')
  }
  return lines
}
