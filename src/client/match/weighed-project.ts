/** The decided records of a project, weighed once, so that thresholds can be tried on all of them again and again. */
import type { ScoredCandidate } from '../../core/matching/decision.ts'
import { weighSubject } from '../../core/matching/judge-subject.ts'
import type { WeighedRecord } from '../../core/matching/weigh.ts'
import type { ProjectSettings } from '../../core/project-settings.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { readRescorable, type RescorableEntry } from '../../db/rescorable-entries.repo.ts'

/** So many are weighed while somebody waits: about three seconds. */
const MOST_WEIGHED = 10_000

/** The lists of its answers are left out. */
export interface WeighedEntry extends RescorableEntry {
  readonly weighed: WeighedRecord
}

export interface WeighedProject {
  readonly settings: ProjectSettings
  /** In file order. */
  readonly entries: readonly WeighedEntry[]
  /** There are more records than these. */
  readonly isPart: boolean
}

/** Asks nobody and writes nothing. */
export async function weighProject(db: Db, project: Project): Promise<WeighedProject> {
  const { settings } = project
  const entries: WeighedEntry[] = []
  let isPart = false
  await readRescorable(
    db,
    project,
    async (page) => {
      for (const entry of page) {
        if (entries.length === MOST_WEIGHED) isPart = true
        else entries.push(weighEntry(entry, settings))
      }
    },
    MOST_WEIGHED + 1,
  )
  return { settings, entries, isPart }
}

function weighEntry(entry: RescorableEntry, settings: ProjectSettings): WeighedEntry {
  return {
    ...entry,
    answers: entry.answers.map((answer) => ({ ...answer, list: null })),
    weighed: withoutEvidence(weighSubject(entry, settings)),
  }
}

/** Some kilobytes less a record: nobody reads the evidence of what is only tried. */
function withoutEvidence(weighed: WeighedRecord): WeighedRecord {
  const { best, runnerUp, verified, evidence } = weighed
  return {
    ...weighed,
    best: best && withoutProperties(best),
    runnerUp: runnerUp && withoutProperties(runnerUp),
    verified: verified && { ...verified, item: withoutProperties(verified.item) },
    evidence: { ...evidence, candidates: [] },
  }
}

/** What is concluded from are the name and a shared identifier. */
function withoutProperties(candidate: ScoredCandidate): ScoredCandidate {
  const features = candidate.features.filter(
    ({ feature, how }) => feature === 'name' || how === 'id.agree',
  )
  return { ...candidate, features }
}
