/**
 * One abort signal out of a caller's signal, the closing of the client and a time limit. Written out, since
 * AbortSignal.any keeps its result alive as long as a long-lived source lives.
 */

export interface LinkedAbort {
  readonly signal: AbortSignal
  /** The time limit ended it, nobody else did. */
  timedOut(): boolean
  /** Lets go of the sources; call it when the work has ended. */
  release(): void
}

export function linkAbort(sources: readonly AbortSignal[], timeoutMs: number): LinkedAbort {
  const controller = new AbortController()
  let timedOut = false
  const onAbort = (): void => controller.abort()
  const timer = setTimeout(() => {
    timedOut = !controller.signal.aborted
    controller.abort()
  }, timeoutMs)
  for (const source of sources) {
    if (source.aborted) controller.abort()
    source.addEventListener('abort', onAbort, { once: true })
  }
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    release: () => {
      clearTimeout(timer)
      for (const source of sources) source.removeEventListener('abort', onAbort)
    },
  }
}
