import type { PlannedTasks } from '../core/match-run.ts'

/** The numbers of a range of tasks, in order. */
export function* taskNumbers({ first, count }: PlannedTasks): Generator<number> {
  for (let number = first; number < first + count; number += 1) yield number
}
