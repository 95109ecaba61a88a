import { judgeSubject } from '../../core/matching/judge-subject.ts'
import { changeBetween } from '../../core/matching/result-change.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { readRescorable, type RescorableEntry } from '../../db/rescorable-entries.repo.ts'
import { type ChangeCounts, emptyCounts, type ResultChange } from './result-changes.ts'

/** Rows shown of what would change. */
const EXAMPLES = 10

export interface RescorePreview {
  readonly counts: ChangeCounts
  readonly unchanged: number
  /** They would keep what they have: some question was never answered. */
  readonly unanswered: number
  /** The first ones in file order. */
  readonly examples: readonly ResultChange[]
}

/** What `rescore` would change; reads only. */
export async function previewRescore(db: Db, project: Project): Promise<RescorePreview> {
  const counts = emptyCounts()
  const examples: ResultChange[] = []
  let unchanged = 0
  let unanswered = 0
  await readRescorable(db, project, async (page) => {
    for (const entry of page) {
      const change = rescored(entry, project)
      if (change === 'unanswered') unanswered += 1
      else if (change === null) unchanged += 1
      else {
        counts[change.kind] += 1
        if (examples.length < EXAMPLES) examples.push(change)
      }
    }
  })
  return { counts, unchanged, unanswered, examples }
}

function rescored(
  entry: RescorableEntry,
  { settings }: Project,
): ResultChange | null | 'unanswered' {
  const verdict = judgeSubject(entry, settings)
  if (verdict.kind !== 'decided') return 'unanswered'
  const { outcome, best, rule, reason } = verdict.decision
  const after = { outcome, qid: best?.id ?? null, rule, reason }
  const kind = changeBetween(entry.decided, after, entry.mergedInto)
  return kind === null ? null : { kind, id: entry.externalId, before: entry.decided, after }
}
