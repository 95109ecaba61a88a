import { AsyncLocalStorage } from 'node:async_hooks'
import { failureFacts } from '../to-failure.ts'
import { noSpan, type Span } from './tracer.ts'

const now = new AsyncLocalStorage<Span>()

/** What the code that runs is part of; undefined: nothing that is traced. */
export function spanNow(): Span | undefined {
  return now.getStore()
}

/** Does a piece of work as a span, and ends it, however it comes out. A wait is no error; it says what for. */
export async function inSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  if (span === noSpan) return work(span)
  try {
    return await now.run(span, () => work(span))
  } catch (error) {
    noteFailure(span, error)
    throw error
  } finally {
    span.end()
  }
}

export function noteFailure(span: Span, error: unknown): void {
  const { code, isWait } = failureFacts(error)
  if (isWait) span.wait(code)
  else span.fail(code)
}
