/**
 * `npm run bench:gold -- --data FOLDER`: decides the gold sets of a data folder with the shipped weights, each against
 * the knowledge base of its kind, and says whether the goals are met.
 *
 *   --data FOLDER   gold-NAME.dev.csv and kb-NAME.jsonl; never part of this repository
 *   --set NAME      only this set; may be repeated
 *   --peers         also csv-reconcile's default scorer and openrefine-wikibase's rule on the same records
 *   --causes        also the ten commonest causes of what is missed, per set
 *   --fit VERSION   estimates the shipped weights anew from half A and writes them under that version
 *   -o json         a list of { name, value, goal, ok }
 *
 * Exit code 1 when a goal is missed on either half, 2 for wrong usage.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { evaluate, type EvaluatedRow } from '../../src/core/evaluation/evaluate.ts'
import { mapRecord } from '../../src/core/matching/mapped-record.ts'
import type { UsageError } from '../../src/errors.ts'
import { benchUsage, exitCode, readArgs } from '../exit-code.ts'
import { readKbFile } from '../../src/kb/read-kb-file.ts'
import { commonestCauses } from './causes.ts'
import { type LabelledKind, labelledRecords, writeFittedWeights } from './fit-shipped-weights.ts'
import { readGoldRows } from './gold-rows.ts'
import { type GoldSet, goldSets } from './gold-sets.ts'
import { openKbAnswers } from './kb-answers.ts'
import { createDicePeer } from './peers/dice.ts'
import { openRefineWikibase } from './peers/openrefine-wikibase.ts'
import type { PeerAnswer } from './peers/peer-answer.ts'
import {
  causeTable,
  goalLines,
  goldTable,
  type GoldResult,
  type PeerResult,
  peerTable,
} from './report.ts'
import { type DecidedRow, decideRows, settingsOf } from './run-set.ts'

const WEIGHTS_FILE = fileURLToPath(
  new URL('../../src/core/matching/fitted-weights.ts', import.meta.url),
)

/** @returns The exit code. */
export function main(args: readonly string[]): Promise<number> {
  return exitCode(() => bench(args))
}

async function bench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const results: GoldResult[] = []
  const peers: PeerResult[] = []
  const causes: string[] = []
  const labelled: LabelledKind[] = []
  for (const set of options.sets) {
    process.stderr.write(`${set.name} …\n`)
    const rows = await readGoldRows(options.data, set.name)
    const answers = await openKbAnswers(join(options.data, set.knowledgeBase), set.name)
    const decided = await decideRows(set, rows, answers)
    await answers.keep()
    for (const half of ['A', 'B'] as const) {
      const part = decided.filter((row) => row.half === half)
      results.push({ set: set.name, half, goals: set.goals, evaluation: evaluate(part.map(ours)) })
    }
    if (options.peers) peers.push(...(await comparePeers(options.data, set, decided)))
    if (options.causes) causes.push(causeTable(set.name, commonestCauses(decided)))
    if (options.fit !== undefined) labelled.push(labelledRecords(set, decided))
  }
  if (options.fit !== undefined) {
    await writeFittedWeights(WEIGHTS_FILE, options.fit, labelled)
    process.stderr.write(
      'The table is of the weights before; run it again for that of the new ones.\n',
    )
  }
  const lines = results.flatMap(goalLines)
  process.stdout.write(
    options.output === 'json'
      ? `${JSON.stringify(lines, null, 2)}\n`
      : `${[goldTable(results), ...(options.peers ? [peerTable(peers)] : []), ...causes].join('\n\n')}\n`,
  )
  return lines.every(({ ok }) => ok) ? 0 : 1
}

function ours({ expected, decision, seen }: DecidedRow): EvaluatedRow {
  const { best, outcome, evidence } = decision
  const scored = evidence.candidates.map(({ id }) => id)
  return {
    expected,
    matched: outcome === 'matched' ? (best?.id ?? null) : null,
    candidates: [...new Set([...scored, ...seen.map(({ id }) => id)])],
    score: best?.score ?? null,
  }
}

async function comparePeers(
  folder: string,
  set: GoldSet,
  decided: readonly DecidedRow[],
): Promise<readonly PeerResult[]> {
  const { items } = await readKbFile(join(folder, set.knowledgeBase), () => undefined)
  const dice = createDicePeer(items)
  const settings = settingsOf(set)
  const measure = (matcher: string, answer: (row: DecidedRow) => PeerAnswer): PeerResult => ({
    set: set.name,
    matcher,
    evaluation: evaluate(
      decided.map((row) => ({ expected: row.expected, score: null, ...answer(row) })),
    ),
  })
  return [
    { set: set.name, matcher: 'Record Linker', evaluation: evaluate(decided.map(ours)) },
    measure('openrefine-wikibase rule', ({ cells, seen }) =>
      openRefineWikibase(mapRecord(cells, settings), seen),
    ),
    measure('csv-reconcile (Dice)', ({ cells }) => dice(mapRecord(cells, settings).names[0] ?? '')),
  ]
}

interface Options {
  readonly data: string
  readonly sets: readonly GoldSet[]
  readonly peers: boolean
  readonly causes: boolean
  readonly fit: string | undefined
  readonly output: 'text' | 'json'
}

function readOptions(args: readonly string[]): Options {
  const { values } = parse(args)
  const unknown = values.set.find((name) => !goldSets.some((set) => set.name === name))
  if (unknown !== undefined) throw usage(`no gold set is called ${unknown}`)
  if (values.data === undefined) throw usage('--data is missing')
  if (values.output !== 'text' && values.output !== 'json') {
    throw usage(`-o is ${values.output}, expected text or json`)
  }
  return {
    data: values.data,
    sets: goldSets.filter(({ name }) => values.set.length === 0 || values.set.includes(name)),
    peers: values.peers,
    causes: values.causes,
    fit: values.fit,
    output: values.output,
  }
}

function parse(args: readonly string[]) {
  return readArgs('gold', {
    args: [...args],
    options: {
      data: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      peers: { type: 'boolean', default: false },
      causes: { type: 'boolean', default: false },
      fit: { type: 'string' },
      output: { type: 'string', short: 'o', default: 'text' },
    },
  })
}

function usage(message: string): UsageError {
  return benchUsage('gold', message)
}
