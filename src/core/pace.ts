/** How a project's requests stand against those of others, and how much of a run is under way at a time. */
import type { Priority } from './limiter/protocol.ts'

export const runPriorities = ['low', 'normal', 'high'] as const
export type RunPriority = (typeof runPriorities)[number]

/** Changed while a run goes on; no part of the settings, so nothing is decided again because of it. */
export interface Pace {
  /** Tasks in flight in the whole run, 1 to 500; null: the default. */
  readonly window: number | null
  readonly priority: RunPriority
  /** Share of a full domain against other projects of the same priority; above 0, at most 1,000. Default 1. */
  readonly weight: number
}

/** More children than these at a time make a workflow slow (research/temporal.md §1.2). */
export const LARGEST_WINDOW = 500
export const LARGEST_WEIGHT = 1_000

/** What the limiters call it. */
export const limiterPriority: Readonly<Record<RunPriority, Priority>> = {
  low: 'background',
  normal: 'normal',
  high: 'high',
}

export function isWindow(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST_WINDOW
  )
}
