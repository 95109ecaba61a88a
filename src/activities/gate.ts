/** Lets so many pieces of work run at the same time; the others wait, first come first served. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** @param width at least 1 */
export function createGate(width: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < width) running++
    // Whoever leaves hands its place on, so the count stays.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
