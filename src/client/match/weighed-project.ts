/** Decided records of a project, weighed, so that thresholds can be tried on all of them again and again. */
import type { ScoredCandidate } from '../../core/matching/decision.ts'
import { heedPast } from '../../core/matching/heed-past.ts'
import { type AnsweredRecord, weighSubject } from '../../core/matching/judge-subject.ts'
import { mapRecord } from '../../core/matching/mapped-record.ts'
import { noPast } from '../../core/matching/record-past.ts'
import type { Conclusion } from '../../core/matching/result-change.ts'
import type { WeighedRecord } from '../../core/matching/weigh.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { RescorableEntry } from '../../db/rescorable-entries.repo.ts'

/** Only what a conclusion is drawn from: there may be 100,000 of them in memory. */
export interface WeighedEntry extends AnsweredRecord {
  readonly externalId: string
  readonly name: string
  readonly decided: Conclusion
  readonly mergedInto: string | null
  readonly weighed: WeighedRecord
}

export interface WeighedProject {
  readonly settings: ProjectSettings
  /** In file order. */
  readonly entries: readonly WeighedEntry[]
  /** There are more records than these. */
  readonly isPart: boolean
  /** More are being weighed. */
  readonly isGrowing: boolean
}

export function weighEntry(entry: RescorableEntry, settings: ProjectSettings): WeighedEntry {
  const { externalId, decided, mergedInto, answers } = entry
  const weighed = weighSubject(entry, settings)
  const isFree = !mayHinder(entry, weighed, settings)
  return {
    externalId,
    name: mapRecord(entry.cells, settings).names[0] ?? '',
    decided,
    mergedInto,
    cells: isFree ? {} : entry.cells,
    past: isFree ? noPast : entry.past,
    answers: answers
      .filter(({ status }) => status !== 'answered')
      .map((answer) => ({ ...answer, list: null })),
    weighed: withoutEvidence(weighed),
  }
}

/** Whether the past of a record would have a say if it were matched; which candidate that is, no threshold changes. */
function mayHinder(
  { cells, past }: RescorableEntry,
  { best, evidence }: WeighedRecord,
  settings: ProjectSettings,
): boolean {
  const matched = {
    outcome: 'matched',
    rule: '',
    reason: '',
    runnerUp: null,
    margin: null,
  } as const
  return (
    heedPast({ ...matched, best: best ?? null, evidence }, cells, past, settings).outcome !==
    'matched'
  )
}

/** Some kilobytes less a record: nobody reads the evidence of what is only tried. */
function withoutEvidence(weighed: WeighedRecord): WeighedRecord {
  const { best, runnerUp, verified, evidence } = weighed
  return {
    ...weighed,
    best: best && withoutProperties(best),
    runnerUp: runnerUp && withoutProperties(runnerUp),
    verified: verified && { ...verified, item: withoutProperties(verified.item) },
    evidence: { ...evidence, asked: [], candidates: [] },
  }
}

/** What is concluded from are the name and a shared identifier. */
function withoutProperties(candidate: ScoredCandidate): ScoredCandidate {
  const features = candidate.features
    .filter(({ feature, how }) => feature === 'name' || how === 'id.agree')
    .map((one) => ({ ...one, record: '', candidate: '' }))
  return { ...candidate, description: null, features }
}
