/** The rate is known: `maxRps`, whatever happens. Refusals only make it wait. */
import type { Strategy } from './strategy.ts'

export type Fixed = Record<string, never>

export const fixed: Strategy<Fixed> = {
  start: () => ({}),
  rate: (_, policy) => policy.maxRps,
  mode: () => 'fixed',
  isSoft: () => false,
  onResults: (state) => state,
  onRefusal: (state) => state,
  slowDown: (state) => state,
  onLate: (state) => state,
  onReopened: (state) => state,
}
