/**
 * Estimates the weights of one kind of entity from labelled records: logistic regression over the candidates of a
 * record and "none of these", the same model that scoring uses. The hand-set weights are the prior, so a level that
 * few records show moves little, and one that none shows not at all. Levels of one feature keep their order: a better
 * agreement never weighs less. Deterministic.
 */
import type { KindWeights } from '../weights.ts'
import { inOrder, type LevelOrder } from './level-orders.ts'

/** A labelled record: the levels of each candidate, and which one is right. */
export interface LabelledRecord {
  readonly candidates: readonly (readonly string[])[]
  /** Position of the right one; null: none of these. */
  readonly right: number | null
  /** How often it counts, where a sample was drawn unevenly; default 1. */
  readonly weight?: number | undefined
}

export interface FitOptions {
  readonly orders: readonly LevelOrder[]
  /** Passes over all records. */
  readonly steps?: number
  /** How many records a hand-set weight counts as. */
  readonly priorStrength?: number
}

export interface FitResult extends KindWeights {
  /** Mean surprise per record in bits, before and after. */
  readonly lossBefore: number
  readonly lossAfter: number
}

const STEPS = 400
const PRIOR_STRENGTH = 1
const STEP_SIZE = 0.05
const MOMENTUM = 0.9
const SCALING = 0.999
const TINY = 1e-8
const PRIOR_KEY = 0

export function fitWeights(
  records: readonly LabelledRecord[],
  start: KindWeights,
  { orders, steps = STEPS, priorStrength = PRIOR_STRENGTH }: FitOptions,
): FitResult {
  const keys = ['', ...Object.keys(start.bits)]
  const indexOf = new Map(keys.map((key, index) => [key, index]))
  const examples = records.map(({ candidates, right, weight = 1 }) => ({
    right,
    weight,
    candidates: candidates.map((levels) => [
      PRIOR_KEY,
      ...levels.flatMap((level) => indexOf.get(level) ?? []),
    ]),
  }))
  const believed = keys.map((key) => (key === '' ? start.prior : (start.bits[key] ?? 0)) * Math.LN2)
  const levelsInOrder = orders.map((order) => ({
    ...order,
    levels: order.levels.flatMap((level) => indexOf.get(level) ?? []),
  }))
  const counts = keys.map(() => 0)
  for (const { candidates, weight } of examples) {
    for (const index of candidates.flat()) counts[index] = (counts[index] ?? 0) + weight
  }
  const now = [...believed]
  const gradient = now.map(() => 0)
  const mean = now.map(() => 0)
  const scale = now.map(() => 0)
  const total = Math.max(
    1,
    examples.reduce((sum, { weight }) => sum + weight, 0),
  )
  const lossBefore = addGradient(examples, now, gradient) / Math.LN2 / total
  for (let step = 1; step <= steps; step++) {
    gradient.fill(0)
    addGradient(examples, now, gradient)
    for (const [index, weight] of now.entries()) {
      const slope = (gradient[index] ?? 0) + priorStrength * (weight - (believed[index] ?? 0))
      mean[index] = MOMENTUM * (mean[index] ?? 0) + (1 - MOMENTUM) * slope
      scale[index] = SCALING * (scale[index] ?? 0) + (1 - SCALING) * slope * slope
      const corrected = (mean[index] ?? 0) / (1 - MOMENTUM ** step)
      const size = Math.sqrt((scale[index] ?? 0) / (1 - SCALING ** step)) + TINY
      now[index] = weight - (STEP_SIZE * corrected) / size
    }
    for (const order of levelsInOrder) inOrder(now, order, counts)
  }
  gradient.fill(0)
  const lossAfter = addGradient(examples, now, gradient) / Math.LN2 / total
  const bits = keys.flatMap((key, index): [string, number][] =>
    key === '' ? [] : [[key, rounded((now[index] ?? 0) / Math.LN2)]],
  )
  return {
    prior: rounded((now[PRIOR_KEY] ?? 0) / Math.LN2),
    bits: Object.fromEntries(bits),
    lossBefore,
    lossAfter,
  }
}

interface Example {
  readonly right: number | null
  readonly weight: number
  readonly candidates: readonly (readonly number[])[]
}

/** Adds the slope of the loss to `gradient`. @returns the loss in nats. */
function addGradient(
  examples: readonly Example[],
  weights: readonly number[],
  gradient: number[],
): number {
  let loss = 0
  for (const { right, weight, candidates } of examples) {
    const sums = candidates.map((levels) =>
      levels.reduce((total, index) => total + (weights[index] ?? 0), 0),
    )
    // "None of these" has the sum 0.
    const largest = Math.max(0, ...sums)
    const odds = sums.map((sum) => Math.exp(sum - largest))
    const all = odds.reduce((total, one) => total + one, Math.exp(-largest))
    for (const [position, levels] of candidates.entries()) {
      const slope = weight * ((odds[position] ?? 0) / all - (position === right ? 1 : 0))
      for (const index of levels) gradient[index] = (gradient[index] ?? 0) + slope
    }
    const sumOfRight = right === null ? 0 : (sums[right] ?? 0)
    loss += weight * (Math.log(all) + largest - sumOfRight)
  }
  return loss
}

function rounded(bits: number): number {
  return Math.round(bits * 100) / 100 + 0
}
