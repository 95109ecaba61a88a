/**
 * Somebody who wants a project matched and types the same command until it is.
 *
 *   start-match ── 0 ──▶ completed
 *      ▲   │ 3: some records failed ──▶ retry-failed, like start-match
 *      └───┤ 1: cancelled · 4: a server is away · killed with everything else
 *          └ anything else: a fault of the program
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../../support/cli.ts'
import type { EndedCommand, RunningCommand } from '../../support/running-command.ts'

export interface MatchUser {
  /** Resolves when every record is matched. @throws what no command should say. */
  readonly completed: Promise<void>
  /** Types the present command so many times more, beside those that run. */
  readonly typeAgain: (times: number) => void
  /** Types nothing by itself meanwhile, then so many commands at once. */
  readonly rest: (during: () => Promise<void>, starts: number) => Promise<void>
  /** Commands by how they ended. */
  readonly ends: ReadonlyMap<string, number>
  /** Of the commands that ended last. */
  readonly lastWords: () => string
}

export interface MatchUserOptions {
  /** Nothing is typed any more. */
  readonly over: AbortSignal
  readonly project: number
  readonly records: number
  readonly entriesPerTask: number | null
}

const AGAIN_AFTER_MS = 500
const WORDS_KEPT = 4

export function startMatchUser(cli: Cli, options: MatchUserOptions): MatchUser {
  const { over, project, records, entriesPerTask } = options
  const flags = ['--project', String(project), '-o', 'json']
  const size = entriesPerTask === null ? [] : ['--entries-per-task', String(entriesPerTask)]
  const start = ['start-match', ...flags, ...size]
  const retry = ['retry-failed', ...flags]
  let command = start
  let atOnce = 1
  let resting = Promise.resolve()
  const running = new Set<RunningCommand>()
  const ends = new Map<string, number>()
  const words: string[] = []

  const type = () => {
    running.add(cli.start(...command))
  }
  const note = (name: string, { code, stderr }: EndedCommand) => {
    const end = `${name} ${code === null ? 'killed' : String(code)}`
    ends.set(end, (ends.get(end) ?? 0) + 1)
    words.push(`${end}: ${stderr.trim().split('\n').slice(-3).join(' | ')}`)
    words.splice(0, words.length - WORDS_KEPT)
  }
  const isDone = (end: EndedCommand): boolean => {
    const { code, stdout } = end
    if (code === null || code === 4) return false
    const report = stdout.startsWith('{') ? JSON.parse(stdout) : {}
    if (code === 0 && report.entries?.completed === records) return true
    if (code === 3) command = retry
    else if (code === 1 && report.status === 'cancelled') command = start
    else throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}\n${end.stderr}`)
    return false
  }
  const untilCompleted = async () => {
    for (;;) {
      await resting
      over.throwIfAborted()
      for (; atOnce > 0; atOnce -= 1) type()
      const now = [...running]
      const all = await Promise.all(now.map(({ ended }) => ended))
      now.forEach((ended) => running.delete(ended))
      for (const end of all) note(command[0] ?? '', end)
      const done = all.map(isDone)
      if (done.some(Boolean) && running.size === 0) return
      if (running.size === 0) {
        atOnce = Math.max(atOnce, 1)
        await sleep(AGAIN_AFTER_MS)
      }
    }
  }
  return {
    completed: untilCompleted(),
    typeAgain: (times) => {
      for (let more = 0; more < times; more += 1) type()
    },
    async rest(during, starts) {
      resting = during()
      await resting
      if (running.size === 0) atOnce = starts
    },
    ends,
    lastWords: () => words.join('\n'),
  }
}
