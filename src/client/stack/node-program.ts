/** Our own programs as child processes: the worker and the sample service. */
import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { packageRoot } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'
import { openLogFile } from './log-file.ts'
import { processArguments, processEnv } from './process-sizes.ts'
import { isRunning, markProcess, type ProcessMark } from './process-identity.mjs'

/** Bundling the workflows on a slow machine that is busy with much else has taken two minutes; only a hang takes so long. */
const READY_LIMIT_MS = 600_000

export interface NodeProgram {
  /** For people, e.g. `the worker`. */
  readonly name: string
  readonly entry: URL
  readonly args?: readonly string[]
  /** On top of this process's environment. */
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Called as soon as the process exists, before it is ready. */
  readonly onStart: (mark: ProcessMark) => void
  readonly signal: AbortSignal
}

/**
 * Starts a program that says `process.send({ ready: true })` when it does its work, and ends itself when its
 * channel to us breaks (we were killed).
 * @throws UnavailableError with the last lines of its log.
 */
export async function startNodeProgram(program: NodeProgram): Promise<ProcessMark> {
  const log = openLogFile(program.logFile)
  try {
    const child = fork(fileURLToPath(program.entry), program.args ?? [], {
      cwd: packageRoot,
      detached: true,
      env: { ...processEnv, ...process.env, ...program.env, ...typescriptEnv() },
      execArgv: [...processArguments, ...typescriptArguments(program.entry)],
      stdio: ['ignore', log.descriptor, log.descriptor, 'ipc'],
    })
    const mark = markProcess(child.pid ?? 0)
    program.onStart(mark)
    const ready = readiness(child)
    const deadline = performance.now() + READY_LIMIT_MS
    for (;;) {
      program.signal.throwIfAborted()
      if (ready.is()) return mark
      const late = performance.now() > deadline
      if (late || !isRunning(mark)) {
        throw new UnavailableError({
          code: 'program_not_started',
          message: `${program.name} ${late ? 'is not ready after ten minutes' : 'ended while it started'}:\n${log.tail()}`,
          hint: `Its log: ${log.path}`,
        })
      }
      await sleep(30)
    }
  } finally {
    log.close()
  }
}

/** What node needs to run a TypeScript file of ours; nothing once it is built. */
export function typescriptArguments(entry: URL): string[] {
  if (!entry.pathname.endsWith('.ts')) return []
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
}

/** tsx would look for a tsconfig in the current folder. */
export function typescriptEnv(): NodeJS.ProcessEnv {
  return { TSX_TSCONFIG_PATH: join(packageRoot, 'tsconfig.json') }
}

function readiness(child: ChildProcess): { readonly is: () => boolean } {
  let ready = false
  child.on('message', (message) => {
    ready ||= typeof message === 'object' && 'ready' in message
  })
  child.on('error', () => undefined) // a broken channel; the watch sees whether the process lives
  return { is: () => ready }
}
