import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { typescriptArguments, typescriptEnv } from '../src/client/stack/node-program.ts'

export interface Program {
  /** Resolves with the next message. @throws when the process ends before it. */
  message(): Promise<unknown>
  /** SIGTERM; resolves when it has ended. */
  end(): Promise<void>
}

/** Starts a program in a process of its own, which goes with this one. */
export function startProgram(path: URL, args: readonly string[]): Program {
  const child: ChildProcess = fork(path, [...args], {
    execArgv: typescriptArguments(path),
    env: { ...process.env, ...typescriptEnv() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  return {
    async message() {
      const [first] = await Promise.race([
        once(child, 'message'),
        ended.then(([code]) => {
          throw new Error(`${path.pathname} ended with ${code} before it said anything`)
        }),
      ])
      return first
    },
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
