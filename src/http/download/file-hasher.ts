/**
 * Hashes large files in a thread of their own while they come. That is a third of the work with a byte, and the thread of the
 * transfers has enough to do; `hash-thread.mjs` reads behind what is written.
 *
 * States of the thread: none → running, with the first large file → ended (idle for a while, or it broke) → running again.
 */
import { Worker } from 'node:worker_threads'

export type HashMessage =
  | {
      readonly kind: 'begin'
      readonly run: number
      readonly path: string
      readonly algorithms: readonly string[]
    }
  | { readonly kind: 'grown'; readonly run: number; readonly bytes: number }
  | { readonly kind: 'ask'; readonly run: number; readonly id: number; readonly bytes: number }
  | { readonly kind: 'end'; readonly run: number }

export type HashReport =
  | { readonly id: number; readonly hex: readonly (readonly [string, string])[] }
  | { readonly id: number; readonly fault: string }

/** A file that is hashed while it grows. */
export interface HashRun {
  /** So much of it is written. */
  grown(bytes: number): void
  /** Hex by algorithm of its first bytes, as soon as they are written. @throws when they cannot be had */
  hexAt(bytes: number): Promise<ReadonlyMap<string, string>>
  /** Nothing more is wanted; who still waits gets an error. */
  end(): void
  isEnded(): boolean
}

export interface FileHasher {
  begin(path: string, algorithms: readonly string[]): HashRun
  close(): Promise<void>
}

/** To begin the thread again takes a tenth of a second, to keep it ten MB. */
const IDLE_MS = 30_000

interface Question {
  readonly run: number
  readonly resolve: (hex: ReadonlyMap<string, string>) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly runs: Set<number>
  readonly questions: Map<number, Question>
}

export function createFileHasher(): FileHasher {
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined
  let last = 0
  const stop = async (): Promise<void> => {
    clearTimeout(idle)
    await thread?.worker.terminate()
  }
  const running = (): Thread => {
    clearTimeout(idle)
    thread ??= startThread((ended) => {
      if (thread === ended) thread = undefined
    })
    return thread
  }
  return {
    begin(path, algorithms) {
      const { worker, runs, questions } = running()
      const run = ++last
      let isEnded = false
      runs.add(run)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      const send = (message: HashMessage): void => worker.postMessage(message)
      send({ kind: 'begin', run, path, algorithms })
      return {
        grown: (bytes) => send({ kind: 'grown', run, bytes }),
        hexAt: (bytes) =>
          new Promise((resolve, reject) => {
            if (!runs.has(run)) {
              reject(hashingEnded())
              return
            }
            const id = ++last
            questions.set(id, { run, resolve, reject })
            send({ kind: 'ask', run, id, bytes })
          }),
        isEnded: () => isEnded,
        end() {
          isEnded = true
          if (!runs.delete(run)) return
          send({ kind: 'end', run })
          for (const [id, question] of questions) {
            if (question.run !== run) continue
            questions.delete(id)
            question.reject(hashingEnded())
          }
          if (runs.size === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref()
        },
      }
    },
    close: stop,
  }
}

function startThread(onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(new URL('hash-thread.mjs', import.meta.url))
  // It keeps no process alive.
  worker.unref()
  const thread: Thread = { worker, runs: new Set(), questions: new Map() }
  const { runs, questions } = thread
  worker.on('message', (report: HashReport) => {
    const question = questions.get(report.id)
    questions.delete(report.id)
    if ('hex' in report) question?.resolve(new Map(report.hex))
    else question?.reject(new Error(`The file cannot be hashed: ${report.fault}`))
  })
  // Said by the end, which follows.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    onEnd(thread)
    runs.clear()
    for (const { reject } of questions.values()) reject(hashingEnded())
    questions.clear()
  })
  return thread
}

function hashingEnded(): Error {
  return new Error('The file is not hashed any more.')
}
