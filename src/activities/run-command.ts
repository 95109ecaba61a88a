import { spawn } from 'node:child_process'
import type { EndCommand } from '../core/end-action.ts'

export interface CommandEnd {
  /** Null: it did what it should. */
  readonly trouble: { readonly code: string; readonly message: string } | null
}

export interface CommandInput {
  /** Written to its standard input. */
  readonly stdin: string
  /** On top of the environment of this process. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const SHOWN_LENGTH = 300
const KILLED_AFTER_MS = 5_000

/**
 * Runs a command line of the operator in a shell, as typed: nothing is put into it, what it needs to know comes by stdin
 * and environment. Secrets for services stay here. It is ended with all its children when its time is up or on abort.
 * @throws the signal's reason when aborted
 */
export async function runCommand(
  { line, folder }: EndCommand,
  { stdin, env, timeoutMs, signal }: CommandInput,
): Promise<CommandEnd> {
  const {
    RECORD_LINKER_CREDENTIALS: _credentials,
    RECORD_LINKER_WIKIDATA_TOKEN: _token,
    OTEL_EXPORTER_OTLP_HEADERS: _headers,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: _traceHeaders,
    ...own
  } = process.env
  const child = spawn(line, {
    cwd: folder,
    env: { ...own, ...env },
    shell: true,
    // A process group of its own, so that what it started ends with it.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-SHOWN_LENGTH)
  })
  // One that reads nothing closes its end.
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin)
  let timedOut = false
  const stop = () => {
    killGroup(child.pid, 'SIGTERM')
    const kill = setTimeout(() => killGroup(child.pid, 'SIGKILL'), KILLED_AFTER_MS)
    child.once('close', () => clearTimeout(kill))
  }
  const timer = setTimeout(() => {
    timedOut = true
    stop()
  }, timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const end = await new Promise<CommandEnd['trouble']>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        resolve({
          code: 'command_not_started',
          message: `It could not be started (${error.code}) in ${folder}.`,
        }),
      )
      child.once('close', (exitCode, killedBy) => resolve(troubleOf(exitCode, killedBy, tail)))
    })
    if (signal.aborted) signal.throwIfAborted()
    if (!timedOut) return { trouble: end }
    const message = `It was ended after ${timeoutMs / 1000} s. ${tailText(tail)}`.trim()
    return { trouble: { code: 'command_timed_out', message } }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function troubleOf(
  exitCode: number | null,
  killedBy: NodeJS.Signals | null,
  tail: string,
): CommandEnd['trouble'] {
  if (exitCode === 0) return null
  const how = exitCode === null ? `It was ended by ${killedBy}.` : `It ended with code ${exitCode}.`
  return { code: 'command_failed', message: `${how} ${tailText(tail)}`.trim() }
}

function tailText(tail: string): string {
  const text = tail.trim()
  return text === '' ? '' : `It said: ${text}`
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
