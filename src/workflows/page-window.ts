/**
 * Keeps a number of pages in flight while what comes next depends on what came. All are awaited, also after a failure or
 * a cancellation.
 */
import { condition, isCancellation } from '@temporalio/workflow'

export interface PageWork<Page> {
  /** Pages in flight at most. */
  size(): number
  /** False while the run is paused: nothing new starts, what runs goes on. */
  mayStart(): boolean
  /** The next page, on its way from now on; null: none now. */
  take(): Page | null
  /** No page will come any more. */
  isDone(): boolean
  run(page: Page): Promise<void>
}

export async function runPages<Page>(work: PageWork<Page>): Promise<void> {
  const inFlight = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  /** Something changed that may let another page start. */
  let isStale = true
  const start = (page: Page) => {
    const running: Promise<void> = work
      .run(page)
      .catch((error: unknown) => {
        // A defect must not be hidden by the cancellation that follows it.
        if (failure === undefined || isCancellation(failure.error)) failure = { error }
      })
      .finally(() => {
        inFlight.delete(running)
        isStale = true
      })
    inFlight.add(running)
  }
  try {
    while (failure === undefined && !work.isDone()) {
      isStale = false
      for (; inFlight.size < work.size() && work.mayStart();) {
        const page = work.take()
        if (page === null) break
        start(page)
      }
      const couldStart = work.mayStart()
      await condition(() => isStale || (!couldStart && work.mayStart()))
    }
  } finally {
    await Promise.all(inFlight)
  }
  if (failure !== undefined) throw failure.error
}
