/**
 * Keeps one part of the stack running.
 *
 *   starting ──answers──▶ running ──died──▶ waiting (1 s, doubling to 30 s) ──▶ starting
 *       └─ the first start fails: thrown to the caller
 *   any state ──the stopping signal──▶ no more watched; whoever gave the signal stops the part
 *
 * A part that ran for a minute starts again after 1 s. Parts are watched by process mark, so one that was
 * adopted from a killed keeper is kept like one started here.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, type ProcessMark } from './process-identity.mjs'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** After so long alive, a death counts as the first again. */
const STEADY_MS = 60_000
const WATCH_EVERY_MS = 300

export interface Part {
  /** For people, e.g. `the worker`. */
  readonly name: string
  /** Resolves when the part does its work; gives up when the signal says so. */
  readonly start: (stopping: AbortSignal) => Promise<ProcessMark>
  /** Ends the process that was started last, if it lives; `urgent`: at once. */
  readonly stop: (urgent: boolean) => Promise<void>
}

/**
 * Starts the part; resolves when it does its work.
 * @returns `watch` ends some time after the stopping signal; no restart begins after it.
 * @throws what the first start throws.
 */
export async function keepRunning(
  part: Part,
  stopping: AbortSignal,
  report: (line: string) => void,
): Promise<{ readonly watch: Promise<void> }> {
  const mark = await part.start(stopping)
  const watch = watchAndRestart(part, mark, stopping, report).catch((error: unknown) =>
    report(`${part.name} is not watched any more: ${String(error)}`),
  )
  return { watch }
}

async function watchAndRestart(
  part: Part,
  first: ProcessMark,
  stopping: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  let mark = first
  let startedAt = performance.now()
  let waitMs = FIRST_WAIT_MS
  while (!stopping.aborted) {
    if (isRunning(mark)) {
      await pause(WATCH_EVERY_MS, stopping)
      continue
    }
    if (performance.now() - startedAt > STEADY_MS) waitMs = FIRST_WAIT_MS
    report(`${part.name} ended; it starts again in ${waitMs / 1000} s.`)
    await pause(waitMs, stopping)
    if (stopping.aborted) return
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    startedAt = performance.now()
    try {
      mark = await part.start(stopping)
      report(`${part.name} runs again.`)
    } catch (error) {
      await part.stop(true)
      if (!stopping.aborted) report(`${part.name}: ${String(error)}`)
    }
  }
}

/** Ends early when the signal says so. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
