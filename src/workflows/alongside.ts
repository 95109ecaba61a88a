import { CancellationScope, isCancellation } from '@temporalio/workflow'

/**
 * Does `work` while a loop that never ends by itself goes on in a scope of its own, and stops the loop afterwards.
 * @throws what `work` throws, else a defect of the loop.
 */
export async function alongside<T>(loop: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const scope = new CancellationScope()
  let defect: { readonly error: unknown } | undefined
  const looping = scope.run(loop).catch((error: unknown) => {
    if (!isCancellation(error)) defect = { error }
  })
  let result: T
  try {
    result = await work()
  } finally {
    scope.cancel()
    await looping
  }
  if (defect !== undefined) throw defect.error
  return result
}
