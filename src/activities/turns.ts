import { inLine, type Waiting } from './in-line.ts'

/**
 * Lets so many pieces of work run at the same time; of those that wait, the one of the earliest place goes first. So what was
 * begun first is done first: with turns for all, many tasks that were begun together would end together, too.
 */
export interface Turns {
  /** A place behind all that were given so far. */
  place(): number
  /** @throws what `work` throws; the reason of the signal, where it comes before the turn, which is then left to others */
  take<T>(place: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** @param width at least 1 */
export function createTurns(width: number): Turns {
  let places = 0
  let running = 0
  const waiting: Waiting[] = []
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
    async take(place, signal, work) {
      signal.throwIfAborted()
      if (running < width) running++
      else await inLine(waiting, place, signal)
      try {
        return await work()
      } finally {
        nextGoes()
      }
    },
  }
}
