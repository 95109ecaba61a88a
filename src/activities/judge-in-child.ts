/**
 * Judges records in a forked process, one by one, where a record that kills its process kills only that. A record whose
 * child dies or hangs three times is poison; the deaths of the worker itself never count. A child hangs when it has
 * computed for too long: one that gets no processor, or stands still, is waited for.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AnsweredRecord, RecordVerdict } from '../core/matching/judge-subject.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import { cpuTimeMs } from './cpu-time.ts'

const DEATHS_OF_POISON = 3
const MEMORY_MB = 256
/** Of computing for one record; a usual one takes less than 1 ms. */
const TIME_LIMIT_MS = 10_000
const LOOKS_PER_LIMIT = 10
/** Loading the program took half a minute on a machine that was busy with forty others; only a hang takes so long. */
const START_LIMIT_MS = 600_000

/** What the child is sent; it answers with a RecordVerdict. */
export interface ChildTask {
  readonly record: AnsweredRecord
  readonly settings: ProjectSettings
}

export interface ChildJudge {
  /** @returns the verdict; FAILED with code `poison` when the record kills its process every time. */
  judge(record: AnsweredRecord): Promise<RecordVerdict>
  close(): void
}

export interface ChildJudgeOptions {
  readonly settings: ProjectSettings
  /** The program to fork; it says `{ ready: true }` once it listens. */
  readonly entry: URL
  /** Of computing for one record; default 10,000. */
  readonly timeLimitMs?: number
}

export function createChildJudge(options: ChildJudgeOptions): ChildJudge {
  let child: ChildProcess | undefined
  return {
    async judge(record) {
      for (let deaths = 0; deaths < DEATHS_OF_POISON; deaths += 1) {
        child ??= await startChild(options.entry)
        const verdict = await ask(child, { record, settings: options.settings }, options)
        if (verdict !== 'died') return verdict
        child.kill('SIGKILL')
        child = undefined
      }
      return {
        kind: 'failed',
        code: 'poison',
        message: `Deciding this record ended its process ${DEATHS_OF_POISON} times (out of memory, or computing for more than ${TIME_LIMIT_MS / 1000} s).`,
      }
    },
    close: () => void child?.kill('SIGKILL'),
  }
}

async function startChild(entry: URL): Promise<ChildProcess> {
  const loader = entry.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []
  const child = fork(entry, [], {
    execArgv: [...loader, `--max-old-space-size=${MEMORY_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = new AbortController()
  child.once('exit', () => ended.abort(new Error('The judging process ended while it started.')))
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_LIMIT_MS)])
    await once(child, 'message', { signal })
  } catch (error) {
    child.kill('SIGKILL')
    throw ended.signal.aborted ? ended.signal.reason : error
  }
  return child
}

function ask(
  child: ChildProcess,
  task: ChildTask,
  { timeLimitMs = TIME_LIMIT_MS }: ChildJudgeOptions,
): Promise<RecordVerdict | 'died'> {
  return new Promise((resolve) => {
    const spentMs = stopwatch(child.pid ?? 0)
    const timer = setInterval(() => {
      if (spentMs() > timeLimitMs) finish('died')
    }, timeLimitMs / LOOKS_PER_LIMIT)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own program sends nothing else
    const onMessage = (verdict: unknown) => finish(verdict as RecordVerdict)
    const onExit = () => finish('died')
    function finish(result: RecordVerdict | 'died') {
      clearInterval(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(result)
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
    // A child that died just before reports by `exit`; the broken channel says nothing new.
    child.send(task, () => undefined)
  })
}

/** @returns what that process has computed since, ms; where that is not known, how long it has had. */
function stopwatch(pid: number): () => number {
  const startedAtMs = performance.now()
  const startedMs = cpuTimeMs(pid)
  return () => {
    const nowMs = cpuTimeMs(pid)
    if (startedMs === undefined || nowMs === undefined) return performance.now() - startedAtMs
    return nowMs - startedMs
  }
}
