import { changeBetween } from '../../core/matching/result-change.ts'
import type { Db } from '../../db/connect.ts'
import {
  countUnanswered,
  readRunChanges,
  type RecordThenAndNow,
  type TwoRuns,
} from '../../db/run-changes.repo.ts'
import { findRunOfProject, type Run } from '../../db/runs.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import type { DiffFlags } from '../commands/match-diff.ts'
import { knownProject } from '../known-project.ts'
import { shellWord } from '../shell-word.ts'
import { printAnswer, say } from '../output.ts'
import {
  type ChangeCounts,
  changesTable,
  countLines,
  countsText,
  emptyCounts,
  type ResultChange,
  shownKinds,
} from './result-changes.ts'

const SHOWN_PER_KIND = 10

/** The command `match diff`. */
export async function runDiff(earlier: string, later: string, flags: DiffFlags): Promise<void> {
  await withCommandContext(async ({ db }) => {
    const { id: projectId } = await knownProject(db, flags.project)
    const from = await numberOfRun(db, projectId, earlier)
    const to = await numberOfRun(db, projectId, later)
    if (from === to) say(`Both are run ${from}; a run does not differ from itself.`)
    const changes: ResultChange[] = []
    const counts = await diffRuns(db, { projectId, from, to }, (change) => changes.push(change))
    const answer = { project: projectId, from, to, counts, changes }
    printAnswer(flags.output, flags.output === 'jsonl' ? changes : answer, () =>
      [
        `Project ${projectId}, run ${from} → run ${to}: ${countsText(counts)}`,
        ...countLines(counts),
        ...changesTable(firstOfEach(changes)),
      ].join('\n'),
    )
    const first = changes[0]
    if (first !== undefined) {
      say(`Why: ./record-linker explain --project ${projectId} --entry ${shellWord(first.id)}`)
    }
  })
}

/**
 * Compares how the records stood after two runs; what is judged counts as stale only.
 * @param onChange gets each change, in file order
 */
export async function diffRuns(
  db: Db,
  runs: TwoRuns,
  onChange: (change: ResultChange) => void,
): Promise<ChangeCounts> {
  const counts = emptyCounts()
  await readRunChanges(db, runs, async (page) => {
    for (const record of page) {
      const change = changeOf(record)
      if (change === null) continue
      counts[change.kind] += 1
      onChange(change)
    }
  })
  return counts
}

/** After a rescore: what came out differently, and what could not be decided again. */
export async function sayRescored(db: Db, { id, projectId, number, status }: Run): Promise<void> {
  if (status !== 'completed') return
  const runs = { projectId, from: number - 1, to: number }
  const counts = await diffRuns(db, runs, () => undefined)
  say(`Changed: ${countsText({ ...counts, stale: 0 })}.`)
  const unanswered = await countUnanswered(db, id)
  if (unanswered > 0) {
    say(
      `${unanswered} keep what they had: some of their questions have no stored answer. To ask them: ./record-linker start-match --project ${projectId}`,
    )
  }
  say(`Which: ./record-linker match diff ${number - 1} ${number} --project ${projectId}`)
}

function changeOf(record: RecordThenAndNow): ResultChange | null {
  const { externalId, before, after, mergedInto, judged, stale } = record
  const kind = stale ? 'stale' : judged ? null : changeBetween(before, after, mergedInto)
  return kind === null ? null : { kind, id: externalId, before, after }
}

function firstOfEach(changes: readonly ResultChange[]): readonly ResultChange[] {
  return shownKinds.flatMap((kind) =>
    changes.filter((change) => change.kind === kind).slice(0, SHOWN_PER_KIND),
  )
}

async function numberOfRun(db: Db, projectId: number, text: string): Promise<number> {
  if (text === '0') return 0
  const run = await findRunOfProject(db, projectId, text)
  if (run !== undefined) return run.number
  throw new UsageError({
    code: 'unknown_run',
    message: `Project ${projectId} has no run ${text}; expected the number of a run, such as 1, or its id.`,
    hint: `Its last one: ./record-linker status --project ${projectId}`,
  })
}
