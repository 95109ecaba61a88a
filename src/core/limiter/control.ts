/** The strategy of a domain and what it has learned, as one plain value. */
import { adaptive } from './adaptive.ts'
import { aimd } from './aimd.ts'
import { cubic } from './cubic.ts'
import { fixed } from './fixed.ts'
import { multiplier } from './multiplier.ts'
import type { StrategyName } from './policy.ts'
import type { LateResults, Refused, Reopened, Results, Situation, Strategy } from './strategy.ts'

export interface Control {
  readonly name: StrategyName
  /** Of the strategy of that name. */
  readonly learned: unknown
}

// Each strategy is only ever given what it made itself.
const strategies: Readonly<Record<StrategyName, Strategy<unknown>>> = {
  adaptive,
  aimd,
  multiplier,
  cubic,
  fixed,
}

export function startControl(situation: Situation): Control {
  const name = situation.policy.strategy
  return { name, learned: strategies[name].start(situation) }
}

/** Requests per second the strategy wants, not yet bounded. */
export function controlRate({ name, learned }: Control, policy: Situation['policy']): number {
  return strategies[name].rate(learned, policy)
}

export function controlMode({ name, learned }: Control): string {
  return strategies[name].mode(learned)
}

export function isSoftRefusal({ name, learned }: Control): boolean {
  return strategies[name].isSoft(learned)
}

export function onResults(control: Control, results: Results, situation: Situation): Control {
  return change(control, strategies[control.name].onResults(control.learned, results, situation))
}

export function onLate(control: Control, late: LateResults): Control {
  return change(control, strategies[control.name].onLate(control.learned, late))
}

export function onRefusal(control: Control, refused: Refused): Control {
  return change(control, strategies[control.name].onRefusal(control.learned, refused))
}

export function onReopened(control: Control, reopened: Reopened): Control {
  return change(control, strategies[control.name].onReopened(control.learned, reopened))
}

export function slowDown(control: Control, factor: number, policy: Situation['policy']): Control {
  return change(control, strategies[control.name].slowDown(control.learned, factor, policy))
}

function change({ name }: Control, learned: unknown): Control {
  return { name, learned }
}
