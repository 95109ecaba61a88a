/** Why a stack ends. */
export type StopReason = 'signal' | 'down' | 'idle' | 'home gone' | 'failed'

/** One wish to end, made by whoever comes first. */
export interface StopRequest {
  /** Aborted from the first request on: nothing starts any more. */
  readonly stopping: AbortSignal
  /** Aborted by a second signal, and when there is nothing left to save: end at once. */
  readonly urgent: AbortSignal
  readonly request: (why: StopReason) => void
  /** The first request. */
  readonly requested: Promise<StopReason>
}

export function stopRequest(): StopRequest {
  const stopping = new AbortController()
  const urgent = new AbortController()
  let resolve: (why: StopReason) => void
  const requested = new Promise<StopReason>((settle) => {
    resolve = settle
  })
  return {
    stopping: stopping.signal,
    urgent: urgent.signal,
    requested,
    request: (why) => {
      if (why === 'home gone' || (why === 'signal' && stopping.signal.aborted)) urgent.abort()
      stopping.abort()
      resolve(why)
    },
  }
}
