/** From instants of accepted requests to seconds. Pure. */

/** The longest time without one, in seconds, from the first instant to the last. */
export function longestGapS(instants: readonly number[], fromMs: number, toMs: number): number {
  const inside = instants.filter((ms) => ms > fromMs && ms < toMs)
  const edges = [fromMs, ...inside, toMs]
  return Math.max(...edges.map((ms, index) => (edges[index + 1] ?? ms) - ms)) / 1000
}

/**
 * Seconds until such a time begins: `spanMs` in which at least `part` of the rate is accepted.
 * @returns Infinity when none ends before `toMs`.
 */
export function secondsUntilSpan(
  instants: readonly number[],
  span: {
    readonly fromMs: number
    readonly toMs: number
    readonly spanMs: number
    /** Requests per second. */
    readonly rate: number
    readonly part: number
  },
): number {
  const { fromMs, toMs, spanMs, rate, part } = span
  const sorted = instants.toSorted((a, b) => a - b)
  const wanted = Math.ceil((part * rate * spanMs) / 1000)
  for (const startMs of [fromMs, ...sorted.filter((ms) => ms > fromMs)]) {
    if (startMs + spanMs > toMs) break
    const accepted = sorted.filter((ms) => ms >= startMs && ms < startMs + spanMs)
    if (accepted.length >= wanted) return (startMs - fromMs) / 1000
  }
  return Infinity
}
