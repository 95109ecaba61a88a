/** One embedded Temporal dev server with its Web UI, on a SQLite file. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../../errors.ts'
import { startInBackground, stopProcess, type StopStep } from './background-process.ts'
import { openLogFile } from './log-file.ts'
import { isRunning, type ProcessMark } from './process-identity.mjs'
import { prepareNamespace } from './temporal-namespace.ts'

export interface TemporalServerOptions {
  /** Path of the Temporal CLI. */
  readonly cli: string
  readonly port: number
  readonly uiPort: number
  /** SQLite file; undefined: in memory. */
  readonly dataFile?: string
  readonly namespace: string
  readonly logFile: string
  /** Called as soon as the process exists, before it answers. */
  readonly onStart?: (mark: ProcessMark) => void
  readonly signal?: AbortSignal
}

const stopSteps: readonly StopStep[] = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5000 },
]

/** Stops a dev server; its file survives even `urgent`, which kills it. */
export function stopTemporal(mark: ProcessMark, urgent: boolean): Promise<void> {
  return stopProcess(mark, urgent ? stopSteps.slice(1) : stopSteps)
}

/**
 * Starts a server and prepares its namespace.
 * @throws UnavailableError with the last lines of its log.
 */
export async function startTemporal(options: TemporalServerOptions): Promise<ProcessMark> {
  const log = openLogFile(options.logFile)
  try {
    const mark = await startInBackground({
      command: options.cli,
      args: serverArguments(options),
      cwd: '/',
      env: serverEnv(),
      log,
    })
    options.onStart?.(mark)
    const address = `127.0.0.1:${options.port}`
    for (;;) {
      options.signal?.throwIfAborted()
      if (await temporalAnswers(address, options.namespace)) return mark
      if (!isRunning(mark)) {
        throw new UnavailableError({
          code: 'temporal_not_started',
          message: `The Temporal dev server ended while it started:\n${log.tail()}`,
          hint: `Its log: ${log.path}`,
        })
      }
      await sleep(100)
    }
  } finally {
    log.close()
  }
}

/** Whether a Temporal server answers there; if so its namespace is ready for us afterwards. */
export async function temporalAnswers(address: string, namespace: string): Promise<boolean> {
  try {
    await prepareNamespace(address, namespace)
    return true
  } catch {
    return false // not yet, or not any more
  }
}

function serverArguments(options: TemporalServerOptions): string[] {
  const data =
    options.dataFile === undefined
      ? []
      : [
          `--db-filename=${options.dataFile}`,
          // Four times the speed of the defaults; survives kill -9 (DESIGN §8).
          '--sqlite-pragma=journal_mode=WAL',
          '--sqlite-pragma=synchronous=NORMAL',
        ]
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${options.port}`,
    `--ui-port=${options.uiPort}`,
    `--namespace=${options.namespace}`,
    '--log-level=warn',
    '--log-format=json',
    ...data,
  ]
}

/**
 * Without the user's own TEMPORAL_… settings, which are for clients of other servers, and without ours, some of which
 * are secrets; it must not call home.
 */
function serverEnv(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:TEMPORAL|RECORD_LINKER)_/.test(name),
  )
  return { ...Object.fromEntries(inherited), TEMPORAL_VERSION_CHECK_DISABLED: '1' }
}
