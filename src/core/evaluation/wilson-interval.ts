export interface Interval {
  readonly low: number
  readonly high: number
}

/** 95 % of a normal distribution lie within so many standard deviations. */
const Z = 1.959964

/** Wilson's 95 % interval of a share; 0 to 1 where nothing was tried. Honest for few trials and shares near 0 or 1. */
export function wilsonInterval(successes: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const share = successes / trials
  const z2 = (Z * Z) / trials
  const centre = share + z2 / 2
  const half = Z * Math.sqrt((share * (1 - share) + z2 / 4) / trials)
  return {
    low: Math.max(0, (centre - half) / (1 + z2)),
    high: Math.min(1, (centre + half) / (1 + z2)),
  }
}
