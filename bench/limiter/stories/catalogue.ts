/** All stories, in the order of the table. */
import { changeStories } from './changes.ts'
import { failureStories } from './failures.ts'
import { limiterStories } from './limiter-trouble.ts'
import { neighbourStories } from './neighbours.ts'
import { processStories } from './processes.ts'
import { publishedStories } from './published.ts'
import { steadyStories } from './steady.ts'
import type { Story } from './story.ts'

/** Of these there is one table, with a row per origin. */
export const originStories = steadyStories

export const eventStories: readonly Story[] = [
  ...changeStories,
  ...failureStories,
  ...processStories,
  ...limiterStories,
  ...neighbourStories,
  ...publishedStories,
]

export function findStory(name: string): Story | undefined {
  return [...originStories, ...eventStories].find((story) => story.name === name)
}
