/** One run of one story: what a thread is given, and what it gives back. */
import type { DomainPolicy, StrategyName } from '../../src/core/limiter/policy.ts'
import { findStory } from './stories/catalogue.ts'
import type { Measure } from './stories/story.ts'

export interface Job {
  readonly story: string
  readonly strategy: StrategyName
  readonly seed: number
  readonly policy: Partial<DomainPolicy>
}

export function runJob({ story: name, ...setting }: Job): Promise<readonly Measure[]> {
  const story = findStory(name)
  if (story === undefined) throw new Error(`no story ${name}`)
  return story.run(setting)
}
