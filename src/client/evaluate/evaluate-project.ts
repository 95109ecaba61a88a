import { evaluate, type Evaluation } from '../../core/evaluation/evaluate.ts'
import {
  thresholdCurve,
  type ThresholdPoint,
  type ThresholdRow,
} from '../../core/evaluation/threshold-curve.ts'
import { hardRules } from '../../core/matching/hard-rules.ts'
import type { Db } from '../../db/connect.ts'
import { readRedirects } from '../../db/item-states.repo.ts'
import type { Project } from '../../db/projects.repo.ts'
import { type DecidedEntry, readDecidedEntries } from '../../db/decided-entries.repo.ts'

/** A record that was decided otherwise than the gold file says. */
export interface WrongEntry {
  readonly id: string
  /** What it should be; null: nothing. */
  readonly expected: string | null
  /** The automatic match; null: none. */
  readonly matched: string | null
  readonly rule: string
  readonly reason: string
  /** Place of the right item among the candidates, from 1; null: it is not among them. */
  readonly place: number | null
  /** The features of the best candidate: `name agree 7.9 (equal)`. */
  readonly features: readonly string[]
}

export interface ProjectEvaluation {
  readonly evaluation: Evaluation
  readonly curve: readonly ThresholdPoint[]
  readonly wrong: readonly WrongEntry[]
  /** Rows of the gold file whose record is not in the project or has no decision yet. */
  readonly undecided: number
}

const HARD_RULES: ReadonlySet<string> = new Set(hardRules)

/**
 * Measures the last decisions of a project's runs; what people judged does not count. Items that `recheck` found merged
 * count as what they became part of, on both sides.
 * @param gold right answers by record id, null for "not there"
 */
export async function evaluateProject(
  db: Db,
  { id: projectId, settings }: Pick<Project, 'id' | 'settings'>,
  gold: ReadonlyMap<string, string | null>,
): Promise<ProjectEvaluation> {
  const redirects = await readRedirects(db, settings.service)
  const target = (id: string | null) => (id === null ? null : (redirects.get(id) ?? id))
  const rows: ThresholdRow[] = []
  const wrong: WrongEntry[] = []
  await readDecidedEntries(db, projectId, async (page) => {
    for (const entry of page) {
      const expected = gold.get(entry.externalId)
      if (expected === undefined) continue
      const row = evaluated(entry, expected)
      rows.push(row)
      if (target(row.matched) !== target(expected)) wrong.push(explained(entry, row, target))
    }
  })
  return {
    evaluation: evaluate(rows, redirects),
    curve: thresholdCurve(rows, redirects),
    wrong,
    undecided: gold.size - rows.length,
  }
}

function evaluated(entry: DecidedEntry, expected: string | null): ThresholdRow {
  const { best, evidence, seen } = entry
  const scored = evidence.candidates.map(({ id }) => id)
  return {
    expected,
    matched: entry.outcome === 'matched' ? best : null,
    // The score is that of the best one, which an identifier may have put before the others.
    candidates: [...new Set([...(best === null ? [] : [best]), ...scored, ...seen])],
    score: entry.score,
    vetoed: HARD_RULES.has(entry.rule),
  }
}

function explained(
  entry: DecidedEntry,
  { expected, matched, candidates }: ThresholdRow,
  target: (id: string | null) => string | null,
): WrongEntry {
  const place = expected === null ? -1 : candidates.map(target).indexOf(target(expected))
  const features = entry.evidence.candidates.find(({ id }) => id === entry.best)?.features ?? []
  return {
    id: entry.externalId,
    expected,
    matched,
    rule: entry.rule,
    reason: entry.reason,
    place: place < 0 ? null : place + 1,
    features: features.map(
      ({ feature, verdict, weight, how }) => `${feature} ${verdict} ${weight} (${how})`,
    ),
  }
}
