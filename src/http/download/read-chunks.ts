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
    const goOn = (): void => {
      if (!isOver) body.resume()
    }
    const onData = (chunk: Uint8Array): void => {
      try {
        const waits = take(chunk, fail)
        if (waits === undefined) return
        body.pause()
        taking = waits.then(goOn, fail)
      } catch (error) {
        fail(error)
      }
    }
    // What had come before the break is good, and need not be asked for again.
    const takeRest = (): void => {
      try {
        for (let rest = next(body); rest !== null; rest = next(body)) take(rest, fail)?.catch(fail)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = (): void => {
      body.off('error', onError).off('close', onClose)
      // The last piece may still be looked at.
      void Promise.resolve(taking).then(() => settle(resolve))
    }
    const onError = (error: unknown): void => {
      if (!isOver) takeRest()
      settle(() => reject(new BrokenBody(error)))
    }
    const onClose = (): void => onError(body.errored ?? new Error('closed'))
    body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
    if (body.destroyed && !body.readableEnded) onClose()
  })
}

function next(body: Readable): Uint8Array | null {
  const chunk: unknown = body.read()
  return chunk instanceof Uint8Array ? chunk : null
}
