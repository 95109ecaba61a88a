import { defaultMatchSizes } from '../../core/match-run.ts'
import type { Pace } from '../../core/pace.ts'

/** `priority high, weight 2, window 24 (default)`. */
export function paceText({ priority, weight, window }: Pace): string {
  const windowText = window ?? `${defaultMatchSizes.window} (default)`
  return `priority ${priority}, weight ${weight}, window ${windowText}`
}

/** Nobody has changed it. */
export function isUsualPace({ priority, weight, window }: Pace): boolean {
  return priority === 'normal' && weight === 1 && window === null
}
