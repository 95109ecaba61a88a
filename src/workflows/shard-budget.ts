/**
 * How the shards in flight share the window of their run. A few of them have a part each. One that has started all its
 * tasks and waits for the last ones keeps only what these take: the rest goes to the others, and a further shard may
 * start. So one slow task holds its own place, not that of its whole shard.
 */
import { setHandler } from '@temporalio/workflow'
import { shardRestSignal } from './messages.ts'
import type { RunWindow } from './run-window.ts'

export interface ShardBudget {
  /** Shards that may be in flight now, those that only wait included. */
  readonly places: number
  /** Tasks that each shard may have in flight, at least 1. */
  readonly part: number
  enter(firstTask: number): void
  leave(firstTask: number): void
}

/** Registers the handler of `shardRest`; what is no message of a shard in flight is left out. */
export function createShardBudget(window: RunWindow, shardsInFlight: number): ShardBudget {
  const inFlight = new Set<number>()
  const rests = new Map<number, number>()
  const free = () =>
    Math.max(0, window.size - [...rests.values()].reduce((sum, left) => sum + left, 0))
  const sharing = () => Math.min(shardsInFlight, free())
  setHandler(shardRestSignal, (rest) => {
    if (!inFlight.has(rest?.firstTask) || !Number.isInteger(rest.left)) return
    rests.set(rest.firstTask, rest.left)
    window.tellAgain()
  })
  return {
    get places() {
      return rests.size + sharing()
    },
    get part() {
      return Math.max(1, Math.floor(free() / Math.max(1, sharing())))
    },
    enter(firstTask) {
      inFlight.add(firstTask)
    },
    leave(firstTask) {
      inFlight.delete(firstTask)
      if (rests.delete(firstTask)) window.tellAgain()
    },
  }
}
