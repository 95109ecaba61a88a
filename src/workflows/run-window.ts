/**
 * How many tasks of a run are in flight, changed from outside while it goes on. The number is that of the whole run: a
 * shard gets its part. A smaller one starts nothing until enough has ended; nothing is broken off.
 */
import { condition, setHandler } from '@temporalio/workflow'
import { isWindow } from '../core/pace.ts'
import { type ChildrenInFlight, tellChildren } from './children-in-flight.ts'
import { setWindowSignal } from './messages.ts'

export interface RunWindow {
  /** Tasks in flight at most. */
  readonly size: number
  /** True once a number came from outside. */
  readonly isChanged: boolean
  /** Takes this number, unless one came from outside before. */
  startWith(size: number | null | undefined): void
  /** The number is as it was, but what shards have of it may not be. */
  tellAgain(): void
  /** Tells running shards their part of each new number, null where there are none; never returns. */
  passOn(children: ChildrenInFlight, partOf: (size: number) => number | null): Promise<void>
}

/** Registers the handler of `setWindow`; what is no number of tasks is left out, for a handler must not throw. */
export function createRunWindow(size: number): RunWindow {
  let now = size
  let changes = 0
  let repetitions = 0
  setHandler(setWindowSignal, (request) => {
    if (!isWindow(request?.window)) return
    now = request.window
    changes += 1
  })
  return {
    get size() {
      return now
    },
    get isChanged() {
      return changes > 0
    },
    startWith(wanted) {
      if (changes === 0 && isWindow(wanted)) now = wanted
    },
    tellAgain() {
      repetitions += 1
    },
    async passOn(children, partOf) {
      let toldPart: number | null = null
      for (let told = { changes: 0, repetitions: 0 }; ;) {
        await condition(() => changes > told.changes || repetitions > told.repetitions)
        const part = partOf(now)
        const isNews = changes > told.changes || part !== toldPart
        told = { changes, repetitions }
        toldPart = part
        if (part !== null && isNews) {
          await tellChildren(children, setWindowSignal, { window: part })
        }
      }
    },
  }
}
