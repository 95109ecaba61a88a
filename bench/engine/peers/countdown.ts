/** Resolves when so many pieces of work have ended; rejects with the first error, which a queue would only try again. */
export interface Countdown {
  readonly done: Promise<void>
  readonly wrap: (work: (task: number) => Promise<void>) => (task: number) => Promise<void>
}

export function countdown(tasks: number): Countdown {
  let left = tasks
  let finish: () => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const done = new Promise<void>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  if (tasks === 0) finish()
  return {
    done,
    wrap: (work) => async (task) => {
      try {
        await work(task)
      } catch (error) {
        fail(error)
        throw error
      }
      left -= 1
      if (left === 0) finish()
    },
  }
}
