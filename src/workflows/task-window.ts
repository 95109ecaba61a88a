/**
 * Keeps a number of children in flight over a range, and awaits every one of them. A child that fails or is terminated
 * frees its place; a cancellation closes the window, reaches the running children, and leaves only after all ended.
 */
import { condition, isCancellation } from '@temporalio/workflow'

export interface TaskWindow {
  /** Children in flight at most; may change. */
  readonly size: () => number
  /** False while the run is paused: nothing new starts, what runs goes on. */
  readonly mayStart: () => boolean
}

/**
 * @param runOne starts and awaits one child; it throws only when the whole run is cancelled or broken.
 * @returns when every started child has ended.
 */
export async function runWindow(
  numbers: Iterable<number>,
  window: TaskWindow,
  runOne: (number: number) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  try {
    for (const number of numbers) {
      await condition(
        () => failure !== undefined || (inFlight.size < window.size() && window.mayStart()),
      )
      if (failure !== undefined) break
      const child: Promise<void> = runOne(number)
        .catch((error: unknown) => {
          // Every child of a cancelled run throws the cancellation; a defect among them must not be hidden by it.
          if (failure === undefined || isCancellation(failure.error)) failure = { error }
        })
        .finally(() => inFlight.delete(child))
      inFlight.add(child)
    }
  } finally {
    await Promise.all(inFlight)
  }
  if (failure !== undefined) throw failure.error
}
