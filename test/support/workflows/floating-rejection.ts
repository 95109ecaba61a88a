import { sleep } from '@temporalio/workflow'

/** A defect on purpose: nobody awaits the promise that rejects. */
export async function floatingRejection(): Promise<void> {
  // oxlint-disable-next-line no-floating-promises -- the point of the test
  failLater()
  await sleep('1 hour')
}

async function failLater(): Promise<void> {
  await sleep(1)
  throw new Error('nobody awaits this')
}
