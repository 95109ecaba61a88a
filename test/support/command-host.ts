/**
 * Commands of one home in a process that stays: what they cost is mostly the start of a process that has read hundreds of
 * files. One at a time; what has to be interrupted, killed or run beside others wants a process of its own.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { markProcess, type ProcessMark } from '../../src/client/stack/process-identity.mjs'
import type { EndedCommand } from './running-command.ts'

export interface CommandHost {
  readonly mark: ProcessMark
  /** @throws when the process ended before the command. */
  readonly run: (args: readonly string[]) => Promise<EndedCommand>
  readonly close: () => Promise<void>
}

const program = fileURLToPath(new URL('./command-host.mjs', import.meta.url))

export function startCommandHost(place: {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}): CommandHost {
  const child = fork(program, { ...place, execArgv: [], silent: true })
  const said = { stdout: '', stderr: '' }
  let changed = () => undefined as void
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
      changed()
    })
  }
  // Not 'close': servers that a command has started hold the line to this process open.
  const exited = once(child, 'exit')
  void exited.then(() => changed())

  return {
    mark: markProcess(child.pid ?? 0),
    async run(args) {
      const startedMs = performance.now()
      const mark = `${randomUUID()} ended with`
      const isOver = () =>
        [said.stdout, said.stderr].every(
          (text) => text.endsWith('\n') && text.slice(-2 * mark.length).includes(mark),
        )
      const over = new Promise<void>((resolve, reject) => {
        changed = () => {
          if (isOver()) resolve()
          else if (child.exitCode !== null || child.signalCode !== null) {
            reject(
              new Error(`The process of ${args.join(' ')} ended:\n${said.stdout}\n${said.stderr}`),
            )
          }
        }
      })
      child.send({ args, mark })
      await over
      const [stdout = '', code] = said.stdout.split(`${mark} `)
      const [stderr = ''] = said.stderr.split(`${mark} `)
      Object.assign(said, { stdout: '', stderr: '' })
      return { code: Number(code), stdout, stderr, tookMs: performance.now() - startedMs }
    },
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
