/** A command that was started in a process group of its own, and what it has said so far. */
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { markProcess, type ProcessMark } from '../../src/client/stack/process-identity.mjs'

export interface EndedCommand {
  /** null: a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly tookMs: number
}

export interface RunningCommand {
  readonly mark: ProcessMark
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when stdout or stderr has it. @throws when the command ends without, or after ten minutes. */
  readonly until: (text: string | RegExp) => Promise<void>
  /** Ctrl-C: to every process of its group. */
  readonly interrupt: () => void
  readonly ended: Promise<EndedCommand>
}

const PATIENCE_MS = 600_000

export function startCommand(
  child: ChildProcessByStdio<null, Readable, Readable>,
  args: readonly string[],
): RunningCommand {
  const startedMs = performance.now()
  const mark = markProcess(child.pid ?? 0)
  let stdout = ''
  let stderr = ''
  const waiters = new Set<() => void>()
  const changed = () => waiters.forEach((look) => look())
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    changed()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    changed()
  })
  let isOver = false
  const ended = new Promise<EndedCommand>((resolve, reject) => {
    child.once('error', reject)
    // Not 'exit': a process that it left behind with its stdout would hang a `| head`, and then this too.
    child.once('close', (code) => {
      isOver = true
      changed()
      resolve({ code, stdout, stderr, tookMs: performance.now() - startedMs })
    })
  })
  return {
    mark,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    interrupt: () => process.kill(-mark.pid, 'SIGINT'),
    until: (text) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => {
          finish()
          reject(new Error(`${args.join(' ')} ${why} ${String(text)}:\n${stdout}\n${stderr}`))
        }
        const timer = setTimeout(() => fail('has not said in ten minutes'), PATIENCE_MS)
        const finish = () => {
          clearTimeout(timer)
          waiters.delete(look)
        }
        const look = () => {
          const said = [stdout, stderr]
          if (
            said.some((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)))
          ) {
            finish()
            resolve()
          } else if (isOver) fail('ended without saying')
        }
        waiters.add(look)
        look()
      }),
  }
}
