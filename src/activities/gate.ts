import { createTurns } from './turns.ts'

/** Lets so many pieces of work run at the same time; the others wait, first come first served. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** @param width at least 1 */
export function createGate(width: number): Gate {
  const turns = createTurns(width)
  return (work) => turns.take(turns.place(), work)
}
