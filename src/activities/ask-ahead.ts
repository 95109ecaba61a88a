/**
 * Keeps a process from asking far ahead of what it decides. Where a service is quick, deciding is what takes the time: all
 * tasks in flight would ask first and then wait together, and the first records of a run would pay for questions of later ones.
 * A service that is slow or limited never waits for this: then hardly any task is being decided.
 *
 * A task of a run: waits to be let in → asks → is decided, or waits for that → ended. Who came first is let in first.
 */
export interface AskAhead {
  /**
   * Asks once the task is let in. Runs do not wait for each other.
   * @throws the reason of the signal, where it comes before that
   */
  ask<T>(runId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Decides what was asked. */
  decide<T>(runId: number, work: () => Promise<T>): Promise<T>
}

/** So many are decided at a time (`decide-task.ts`); with fewer, whoever decides may have nothing to do. */
const ENOUGH_TO_DECIDE = 2
/** Seconds of work, so that it never ends while the next ones ask. */
const MOST_TO_DECIDE = 10

/**
 * How many tasks may ask.
 * @param deciding tasks that are being decided or wait for that
 */
export function mostAsking(deciding: number): number {
  return deciding < ENOUGH_TO_DECIDE ? Infinity : Math.max(0, MOST_TO_DECIDE - deciding)
}

interface RunTasks {
  asking: number
  deciding: number
  readonly waiting: (() => void)[]
}

export function createAskAhead(): AskAhead {
  const runs = new Map<number, RunTasks>()
  const tasksOf = (runId: number): RunTasks => {
    const known = runs.get(runId)
    if (known !== undefined) return known
    const tasks: RunTasks = { asking: 0, deciding: 0, waiting: [] }
    runs.set(runId, tasks)
    return tasks
  }
  const letIn = (runId: number): void => {
    const tasks = tasksOf(runId)
    while (tasks.asking < mostAsking(tasks.deciding)) {
      const next = tasks.waiting.shift()
      if (next === undefined) break
      // Here, not once it goes on, so that the next one is not let in for the same place.
      tasks.asking += 1
      next()
    }
    if (tasks.asking + tasks.deciding + tasks.waiting.length === 0) runs.delete(runId)
  }
  return {
    async ask(runId, signal, work) {
      signal.throwIfAborted()
      const tasks = tasksOf(runId)
      await new Promise<void>((resolve, reject) => {
        const goes = (): void => {
          signal.removeEventListener('abort', leaves)
          resolve()
        }
        const leaves = (): void => {
          tasks.waiting.splice(tasks.waiting.indexOf(goes), 1)
          letIn(runId)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leaves, { once: true })
        tasks.waiting.push(goes)
        letIn(runId)
      })
      try {
        return await work()
      } finally {
        tasks.asking -= 1
        letIn(runId)
      }
    },
    async decide(runId, work) {
      const tasks = tasksOf(runId)
      tasks.deciding += 1
      try {
        return await work()
      } finally {
        tasks.deciding -= 1
        letIn(runId)
      }
    },
  }
}
