import type { Readable } from 'node:stream'

/** The body ended before its end; `cause` says how. */
export class BrokenBody extends Error {
  constructor(cause: unknown) {
    super('the body broke off', { cause })
  }
}

/**
 * Gives every piece of a body to `take`, in order; while what it returns is not resolved nothing more is read. To iterate
 * would copy: a stream that is read on demand joins what has come meanwhile.
 * @param take its `fail` ends the reading at any time
 * @throws BrokenBody; what `take` throws or fails with
 */
export function readChunks(
  body: Readable,
  take: (chunk: Uint8Array, fail: (error: unknown) => void) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let taking: Promise<void> | undefined
    let isOver = false
    const settle = (end: () => void): void => {
      if (isOver) return
      isOver = true
      body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      end()
    }
    const fail = (error: unknown): void =>
      settle(() => reject(error instanceof Error ? error : new Error(String(error))))
    const onData = (chunk: Uint8Array): void => {
      try {
        const waits = take(chunk, fail)
        if (waits === undefined) return
        body.pause()
        taking = waits.then(() => {
          if (!isOver) body.resume()
        }, fail)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = (): void => {
      body.off('error', onError).off('close', onClose)
      // The last piece may still be looked at.
      void Promise.resolve(taking).then(() => settle(resolve))
    }
    const onError = (error: unknown): void => settle(() => reject(new BrokenBody(error)))
    const onClose = (): void => onError(body.errored ?? new Error('closed'))
    body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
    if (body.destroyed && !body.readableEnded) onClose()
  })
}
