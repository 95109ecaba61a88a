/**
 * Decides tasks in a thread of their own, so that judging names, which takes most of the processor, holds up neither the
 * requests of this process nor its limiters, and a second core has something to do. The thread reads and writes the
 * database itself; only numbers and the run's settings go to and fro.
 *
 * States: none → running, when a run is planned or with the first task → ended (it broke, ran out of memory, or was silent
 * for too long and was stopped) → running again, in the same way. What a thread leaves behind by its end is tried again;
 * the records it may have died of are marked, and then judged apart (`judge-in-child.ts`).
 */
import { Worker } from 'node:worker_threads'
import type { TaskDecider } from '../activities/decide-task.ts'
import type { RunSettings } from '../activities/run-settings.ts'
import { waitFailure } from '../activities/to-failure.ts'
import type { OutcomeCounts } from '../activities/work-metrics.ts'
import type { TaskKey } from '../db/task-subjects.repo.ts'
import type { Logger } from '../log.ts'
import { letHeapGrow } from './small-heap.ts'

/** A heap far above what two pages of 500 records need; beyond it only the thread ends, not the process. */
const MEMORY_MB = 768
/** It says every second that it lives. Counted, not timed: a machine that was asleep has not counted. */
const SILENT_SECONDS = 60
const AGAIN_MS = 1_000

/** Compiled, as every worker is: a thread has no loader for TypeScript. */
const ownEntry = new URL('./decide-thread.js', import.meta.url)

/** What the thread begins with. */
export interface DecideThreadData {
  readonly databaseUrl: string
  readonly maxConnections: number
}

/** What the thread is sent. */
export type DecideMessage =
  | {
      readonly kind: 'decide'
      readonly id: number
      readonly key: TaskKey
      readonly run: RunSettings
    }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'close' }

/** What the thread says. */
export type DecideReport =
  | { readonly kind: 'alive' }
  | { readonly kind: 'stored'; readonly counts: OutcomeCounts }
  | { readonly kind: 'decided'; readonly id: number; readonly waiting: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }

/** An error on its way between threads, which would lose its class, and the code by which it is known. */
export interface SentError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
}

export interface ThreadDecider extends Pick<TaskDecider, 'decide'> {
  /** Starts the thread where none runs, so that the first task finds its code loaded. */
  wake(): void
  /** Ends the thread; nothing may be under way. */
  close(): Promise<void>
}

export interface ThreadDeciderOptions extends DecideThreadData {
  readonly log: Pick<Logger, 'warn'>
  /** Told of each page of records once it is stored. Default: nobody is. */
  readonly onDecided?: (counts: OutcomeCounts) => void
  /** The program of the thread; default `decide-thread`. */
  readonly entry?: URL
  /** Default 60. */
  readonly silentSeconds?: number
}

interface Pending {
  readonly resolve: (waiting: number) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
}

export function createThreadDecider(options: ThreadDeciderOptions): ThreadDecider {
  const { log } = options
  let thread: Thread | undefined
  let lastId = 0
  const running = (): Thread => {
    thread ??= startThread(options, (ended) => {
      if (thread === ended) thread = undefined
    })
    return thread
  }
  return {
    wake() {
      try {
        running()
      } catch (error) {
        log.warn({ err: error }, 'The thread that decides records was not started beforehand.')
      }
    },
    async decide(key, run, signal) {
      signal.throwIfAborted()
      const { worker, pending } = running()
      const id = ++lastId
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      const send = (message: DecideMessage): void => worker.postMessage(message)
      const abort = (): void => send({ kind: 'abort', id })
      signal.addEventListener('abort', abort, { once: true })
      try {
        return await new Promise<number>((resolve, reject) => {
          pending.set(id, { resolve, reject })
          send({ kind: 'decide', id, key, run })
        })
      } catch (error) {
        throw signal.aborted ? signal.reason : error
      } finally {
        pending.delete(id)
        signal.removeEventListener('abort', abort)
      }
    },
    async close() {
      if (thread === undefined) return
      const { worker } = thread
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ kind: 'close' } satisfies DecideMessage)
      await ended
    },
  }
}

function startThread(
  {
    databaseUrl,
    maxConnections,
    log,
    entry = ownEntry,
    silentSeconds = SILENT_SECONDS,
    onDecided,
  }: ThreadDeciderOptions,
  onEnd: (thread: Thread) => void,
): Thread {
  letHeapGrow()
  const worker = new Worker(entry, {
    workerData: { databaseUrl, maxConnections } satisfies DecideThreadData,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const thread: Thread = { worker, pending: new Map() }
  const { pending } = thread
  let silentFor = 0
  const watch = setInterval(() => {
    silentFor = pending.size === 0 ? 0 : silentFor + 1
    if (silentFor > silentSeconds) void worker.terminate()
  }, 1_000)
  worker.on('message', (report: DecideReport) => {
    silentFor = 0
    if (report.kind === 'stored') onDecided?.(report.counts)
    else if (report.kind === 'decided') pending.get(report.id)?.resolve(report.waiting)
    else if (report.kind === 'failed') pending.get(report.id)?.reject(received(report.error))
  })
  worker.on('error', (error) => log.warn({ err: error }, 'The thread that decides records broke.'))
  worker.once('exit', () => {
    clearInterval(watch)
    onEnd(thread)
    for (const { reject } of pending.values()) {
      reject(waitFailure('decider_ended', 'The thread that decides records ended.', AGAIN_MS))
    }
  })
  return thread
}

function received({ name, message, stack, code }: SentError): Error {
  const error = new Error(message)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}
