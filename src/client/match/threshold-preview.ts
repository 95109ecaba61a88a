/** What other thresholds would change, found by concluding again from what is weighed; asks nobody and writes nothing. */
import { judgeWeighed } from '../../core/matching/judge-subject.ts'
import { changeBetween, type Conclusion } from '../../core/matching/result-change.ts'
import type { DecisionThresholds, ProjectSettings } from '../../core/project-settings.ts'
import type { WeighedEntry, WeighedProject } from './weighed-project.ts'

/** Rows shown of those that would flip. */
const EXAMPLES = 10

/** Numbers of records that no person has judged. */
export interface OutcomeNumbers {
  readonly matched: number
  readonly review: number
  readonly noCandidate: number
}

export interface Flip {
  readonly entry: string
  readonly name: string
  readonly before: Conclusion
  readonly after: Conclusion
}

export interface ThresholdPreview {
  readonly before: OutcomeNumbers
  readonly after: OutcomeNumbers
  readonly flips: number
  /** The first ones in file order. */
  readonly examples: readonly Flip[]
  readonly lookedAt: number
  /** There are more records than were looked at. */
  readonly isPart: boolean
  /** More are being looked at: a moment later they are counted too. */
  readonly isGrowing: boolean
}

export function previewThresholds(
  { settings: current, entries, isPart, isGrowing }: WeighedProject,
  thresholds: DecisionThresholds,
): ThresholdPreview {
  const settings = { ...current, thresholds }
  const before = { matched: 0, review: 0, noCandidate: 0 }
  const after = { matched: 0, review: 0, noCandidate: 0 }
  const examples: Flip[] = []
  let flips = 0
  for (const entry of entries) {
    const now = concluded(entry, settings)
    count(before, entry.decided)
    count(after, now)
    if (!isFlip(entry, now)) continue
    flips += 1
    if (examples.length === EXAMPLES) continue
    const { externalId, name, decided } = entry
    examples.push({ entry: externalId, name, before: decided, after: now })
  }
  return { before, after, flips, examples, lookedAt: entries.length, isPart, isGrowing }
}

/** What cannot be decided from what is stored keeps what it has. */
function concluded(entry: WeighedEntry, settings: ProjectSettings): Conclusion {
  const verdict = judgeWeighed(entry.weighed, entry, settings)
  if (verdict.kind !== 'decided') return entry.decided
  const { outcome, best, rule, reason } = verdict.decision
  return { outcome, qid: best?.id ?? null, rule, reason }
}

function isFlip({ decided, mergedInto }: WeighedEntry, now: Conclusion): boolean {
  return changeBetween(decided, now, mergedInto) !== null
}

function count(
  numbers: { -readonly [K in keyof OutcomeNumbers]: number },
  { outcome }: Conclusion,
) {
  if (outcome === 'matched') numbers.matched += 1
  else if (outcome === 'review') numbers.review += 1
  else if (outcome === 'no_candidate') numbers.noCandidate += 1
}
