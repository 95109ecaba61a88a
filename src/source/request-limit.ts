const MINUTE_MS = 60_000

/**
 * So many requests in any minute that has gone by; refused ones do not count.
 * @param nowMs monotonic
 * @returns for each request the seconds to wait before the next is let through; 0: this one is
 */
export function requestLimit(perMinute: number, nowMs: () => number): () => number {
  const served: number[] = []
  return () => {
    const now = nowMs()
    while ((served[0] ?? Number.POSITIVE_INFINITY) <= now - MINUTE_MS) served.shift()
    const oldest = served[0]
    if (served.length >= perMinute && oldest !== undefined) {
      return Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000))
    }
    served.push(now)
    return 0
  }
}
