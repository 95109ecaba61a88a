/** Asks and decides every record of a gold set as a run does: name after name, until it is matched. */
import type { Candidate, CandidateList } from '../../src/core/matching/candidate.ts'
import type { Decision } from '../../src/core/matching/decision.ts'
import { judgeSubject, type SubjectAnswer } from '../../src/core/matching/judge-subject.ts'
import { lookupsOf } from '../../src/core/matching/lookups.ts'
import { mapRecord } from '../../src/core/matching/mapped-record.ts'
import { noPast } from '../../src/core/matching/record-past.ts'
import { type ProjectSettings, thresholdsByKind } from '../../src/core/project-settings.ts'
import type { GoldRow } from './gold-rows.ts'
import type { GoldSet } from './gold-sets.ts'
import type { KbAnswers } from './kb-answers.ts'

export interface DecidedRow extends GoldRow {
  readonly decision: Decision
  /** All candidates that were seen, each once. */
  readonly seen: readonly Candidate[]
}

const CANDIDATES = 10

export function settingsOf({ kind, types, mapping }: GoldSet): ProjectSettings {
  return {
    service: 'gold',
    kind,
    languages: ['en'],
    types,
    mapping,
    limit: CANDIDATES,
    thresholds: thresholdsByKind[kind],
  }
}

export async function decideRows(
  set: GoldSet,
  rows: readonly GoldRow[],
  answers: KbAnswers,
): Promise<readonly DecidedRow[]> {
  const settings = settingsOf(set)
  const decided: DecidedRow[] = []
  for (const row of rows) {
    const lookups = lookupsOf(mapRecord(row.cells, settings), settings)
    const lists: CandidateList[] = []
    let verdict = judgeSubject(
      { cells: row.cells, answers: answersOf(lookups.length, lists), past: noPast },
      settings,
    )
    while (verdict.kind === 'waits') {
      const lookup = lookups[lists.length]
      if (lookup === undefined) break
      lists.push(await answers.ask(lookup))
      verdict = judgeSubject(
        { cells: row.cells, answers: answersOf(lookups.length, lists), past: noPast },
        settings,
      )
    }
    if (verdict.kind !== 'decided') throw new Error(`Record ${row.id} was not decided.`)
    const seen = new Map(lists.flatMap(({ candidates }) => candidates.map((one) => [one.id, one])))
    decided.push({ ...row, decision: verdict.decision, seen: [...seen.values()] })
  }
  return decided
}

function answersOf(names: number, lists: readonly CandidateList[]): readonly SubjectAnswer[] {
  return Array.from({ length: names }, (_, position) => {
    const list = lists[position] ?? null
    const status = list === null ? 'missing' : 'answered'
    return { position, status, list, errorCode: null, errorMessage: null }
  })
}
