import { isCancellation } from '@temporalio/workflow'

/** Awaits a signal to another workflow; one that has ended needs none. @throws only the cancellation of this one */
export async function unlessGone(signal: Promise<void>): Promise<void> {
  try {
    await signal
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
