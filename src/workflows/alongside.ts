import { CancellationScope, isCancellation } from '@temporalio/workflow'

/**
 * Does `work` while a loop that never ends by itself goes on in a scope of its own, and stops the loop afterwards. A
 * defect of the loop cancels the work, which would otherwise wait for ever for what the loop no longer does.
 * @throws the loop's defect, else what `work` throws.
 */
export async function alongside<T>(loop: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const loopScope = new CancellationScope()
  const workScope = new CancellationScope()
  let defect: { readonly error: unknown } | undefined
  const looping = loopScope.run(loop).catch((error: unknown) => {
    if (isCancellation(error)) return
    defect = { error }
    workScope.cancel()
  })
  try {
    return await workScope.run(work)
  } catch (error) {
    if (defect !== undefined) throw defect.error
    throw error
  } finally {
    loopScope.cancel()
    await looping
  }
}
