import { inLine, type Waiting } from './in-line.ts'

/**
 * Keeps a process from asking far ahead of what it decides. Where a service is quick, deciding is what takes the time: all
 * tasks in flight would ask first and then wait together, and the first records of a run would pay for questions of later ones.
 *
 * A task of a run: waits to be let in → asks → is decided, or waits for that → ended. While next to nothing is to be decided, all
 * are let in, so nobody waits for a slow or limited service; else each that has been decided lets in the one that came
 * first, so that as many are on their way as before, unless more than enough still wait to be decided: then there is one less.
 */
export interface AskAhead {
  /**
   * Runs do not wait for each other.
   * @throws the reason of the signal, where it comes before the task is let in
   */
  run<A, T>(runId: number, signal: AbortSignal, steps: AskingSteps<A, T>): Promise<T>
}

export interface AskingSteps<A, T> {
  readonly ask: () => Promise<A>
  readonly decide: (asked: A) => Promise<T>
}

/** So many are decided at a time (`decide-task.ts`); with fewer, whoever decides may have nothing to do. */
const ENOUGH_TO_DECIDE = 2
/** Seconds of work. */
const MORE_THAN_ENOUGH = 10

interface RunTasks {
  begun: number
  /** Being decided, or waiting for that. */
  deciding: number
  readonly waiting: Waiting[]
}

/** @param stopping aborted: nobody waits any more, as whoever asks is turned away (`draining-permits.ts`) */
export function createAskAhead(stopping?: AbortSignal): AskAhead {
  const runs = new Map<number, RunTasks>()
  stopping?.addEventListener('abort', () => {
    for (const tasks of runs.values()) letIn(tasks, Infinity)
  })
  const letInAtLeisure = (tasks: RunTasks): void => {
    if (tasks.deciding < ENOUGH_TO_DECIDE || stopping?.aborted === true) letIn(tasks, Infinity)
  }
  return {
    async run(runId, signal, { ask, decide }) {
      signal.throwIfAborted()
      const tasks = runs.get(runId) ?? { begun: 0, deciding: 0, waiting: [] }
      runs.set(runId, tasks)
      tasks.begun += 1
      try {
        const turn = inLine(tasks.waiting, 0, signal)
        letInAtLeisure(tasks)
        await turn
        const asked = await ask()
        tasks.deciding += 1
        try {
          return await decide(asked)
        } finally {
          tasks.deciding -= 1
          if (tasks.deciding < MORE_THAN_ENOUGH) letIn(tasks, 1)
          letInAtLeisure(tasks)
        }
      } finally {
        tasks.begun -= 1
        if (tasks.begun === 0) runs.delete(runId)
      }
    },
  }
}

function letIn(tasks: RunTasks, count: number): void {
  for (const { go } of tasks.waiting.splice(0, count)) go()
}
