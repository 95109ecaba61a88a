/**
 * Lets so many pieces of work run at the same time; of those that wait, the one of the earliest place goes first. So what was
 * begun first is done first: with turns for all, many tasks that were begun together would end together, too.
 */
export interface Turns {
  /** A place behind all that were given so far. */
  place(): number
  take<T>(place: number, work: () => Promise<T>): Promise<T>
}

/** @param width at least 1 */
export function createTurns(width: number): Turns {
  let places = 0
  let running = 0
  const waiting: { readonly place: number; readonly go: () => void }[] = []
  const nextGoes = (): void => {
    const first = Math.min(...waiting.map(({ place }) => place))
    const at = waiting.findIndex(({ place }) => place === first)
    const [next] = at === -1 ? [] : waiting.splice(at, 1)
    // Whoever leaves hands its place on, so the count stays.
    if (next === undefined) running--
    else next.go()
  }
  return {
    place: () => ++places,
    async take(place, work) {
      if (running < width) running++
      else await new Promise<void>((resolve) => waiting.push({ place, go: resolve }))
      try {
        return await work()
      } finally {
        nextGoes()
      }
    },
  }
}
