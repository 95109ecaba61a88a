import { spawn } from 'node:child_process'
import { SetUpError } from './set-up-error.mjs'

/** How often a long step says that it is still at work. */
const TICK_MS = 10_000

/**
 * Runs one program as a step of the set-up: a line on stderr at its start, every 10 s and at its end.
 * Its output is shown only when it fails. Whoever interrupts it waits for its end: the next start would else meet files that
 * are still being written.
 * @param {string} label what is being done, e.g. `installing 285 packages`
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, hint: string, failedNote?: string, isStuck?: () => boolean }} options
 *   `failedNote` ends the line when a failure is nothing bad; `isStuck` is asked every second; true ends the program.
 * @throws {SetUpError} when it cannot start or ends with another code than 0.
 */
export async function runStep(label, command, args, options) {
  const startedAt = performance.now()
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`
  const line = statusLine(`set-up: ${label} …`)
  const ticks = setInterval(() => line.update(seconds()), TICK_MS)
  try {
    const { code, output } = await run(command, args, options)
    if (code !== 0) {
      line.end(options.failedNote ?? `failed after ${seconds()}`)
      throw new SetUpError(`${label} failed (${command}: ${code}).\n${output.trim()}`, options.hint)
    }
    line.end(seconds())
  } finally {
    clearInterval(ticks)
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, isStuck?: () => boolean }} options
 * @returns {Promise<{ code: number | string, output: string }>} the exit code, or what ended it.
 */
function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const watch = setInterval(() => {
      if (options.isStuck?.() === true) child.kill('SIGKILL')
    }, 1000)
    /** @type {NodeJS.Signals | undefined} */
    let interruption
    const interrupt = (/** @type {NodeJS.Signals} */ signal) => {
      interruption = signal
      child.kill(signal)
    }
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', interrupt)
    const settle = (/** @type {number | string} */ code) => {
      clearInterval(watch)
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      if (interruption === undefined) return resolve({ code, output })
      process.stderr.write('\nLeft; the same command begins this step again.\n')
      process.exit(interruption === 'SIGINT' ? 130 : 143)
    }
    child.on('error', (error) => settle(error.message))
    child.on('close', (code, signal) => settle(code ?? signal ?? 'ended'))
  })
}

/**
 * One line that grows on a terminal, and plain whole lines elsewhere.
 * @param {string} text
 */
function statusLine(text) {
  const live = process.stderr.isTTY
  process.stderr.write(live ? text : `${text}\n`)
  return {
    update: (/** @type {string} */ note) =>
      process.stderr.write(live ? `\r${text} ${note}` : `${text} ${note}\n`),
    end: (/** @type {string} */ note) =>
      process.stderr.write(live ? `\r${text} ${note}\n` : `${text} ${note}\n`),
  }
}
