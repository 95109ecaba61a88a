/** Programs that outlive a Ctrl-C in our terminal: process groups of their own, output into a log. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, markProcess, type ProcessMark } from './process-identity.mjs'
import type { LogFile } from './log-file.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface BackgroundProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly log: LogFile
  /** Another account to run under; only root can. */
  readonly account?: Account | undefined
}

/** Starts a program that lives on when this process ends. */
export async function startInBackground(program: BackgroundProgram): Promise<ProcessMark> {
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ['ignore', program.log.descriptor, program.log.descriptor],
    ...program.account,
  })
  await once(child, 'spawn')
  child.unref()
  return markProcess(child.pid ?? 0)
}

/** A signal, and how long to wait for its effect before the next one. */
export interface StopStep {
  readonly signal: NodeJS.Signals
  readonly waitMs: number
}

/** Sends the signals in order until that very process is gone; it need not be a child of ours. */
export async function stopProcess(mark: ProcessMark, steps: readonly StopStep[]): Promise<void> {
  for (const step of steps) {
    if (!isRunning(mark)) return
    sendSignal(mark.pid, step.signal)
    if (await waitForEnd(mark, step.waitMs)) return
  }
}

/** @returns whether it ended in time. */
export async function waitForEnd(mark: ProcessMark, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs
  while (isRunning(mark)) {
    if (performance.now() > deadline) return false
    await sleep(30)
  }
  return true
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // ESRCH: it ended in this moment, which is what we want.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
