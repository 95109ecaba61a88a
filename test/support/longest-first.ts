/**
 * Test files that last longest start first, so that none of them runs alone at the end. Where the suite has run before,
 * vitest knows how long each file lasted; a fresh clone does not, and would go by size.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of a minute or more on a machine with two cores, the longest first. */
const LONGEST: readonly string[] = [
  'faults/seeded-faults',
  'limits/limits',
  'cli/stdout',
  'control/embedded',
  'stack/without-docker',
  'stack/survive',
  'cli/two-terminals',
  'limits/held-runs',
  'limiter/permit-broker',
  'time-skipping/match-waits',
  'extract/two-days',
  'control/pace',
  'control/reset',
  'control/schedule',
  'control/failures',
  'cli/readme',
  'time-skipping/domain-limiter',
  'stack/commands',
  'workers/drain',
  'limiter/domain-limiter',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    return others.toSorted((a, b) => place(a) - place(b))
  }
}

function place({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at === -1 ? LONGEST.length : at
}
