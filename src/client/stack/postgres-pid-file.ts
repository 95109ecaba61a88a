/** `postmaster.pid`, PostgreSQL's own record of who serves a data folder: its first line is the process. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, markProcess, type ProcessMark } from './process-identity.mjs'
import { stopProcess, type StopStep } from './background-process.ts'
import { readIfThere } from './private-file.ts'

/** SIGINT: disconnect everybody, write everything, end. SIGQUIT: end now, recover at the next start. */
const stopSteps: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 5000 },
  { signal: 'SIGKILL', waitMs: 5000 },
]

/** Stops a PostgreSQL server. `urgent`: at once, keeping all committed data. */
export function stopPostgres(mark: ProcessMark, urgent: boolean): Promise<void> {
  return stopProcess(mark, urgent ? stopSteps.slice(1) : stopSteps)
}

/** Stops whatever serves that data folder, known to us or not. */
export async function stopPostgresOf(data: string): Promise<void> {
  const server = serverOf(data)
  if (server !== undefined) await stopPostgres(server, false)
}

/**
 * After a crash the recorded number may belong to another program by now, or to a dead process that nobody
 * collects, as in containers. PostgreSQL cannot tell either from a living server and would refuse to start.
 * Removes the record in just these cases, once no process works on the data any more.
 */
export async function clearStalePidFile(data: string): Promise<void> {
  const pid = recordedPid(data)
  if (pid === undefined || serverOf(data) !== undefined || !hasProcess(pid)) return
  while (isWorkedOn(data)) await sleep(50)
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

/** Processes of a killed server end by themselves, soon after it; the data folder is their current one. */
function isWorkedOn(data: string): boolean {
  if (process.platform !== 'linux') return false
  return readdirSync('/proc').some(
    (name) =>
      /^\d+$/.test(name) &&
      workingFolder(name) === data &&
      commandLine(Number(name)).startsWith('postgres: '),
  )
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // it ended in this moment, or is not ours to look at
  }
}

/** Whether the number is in use, be it by a dead process. */
function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function serverOf(data: string): ProcessMark | undefined {
  const pid = recordedPid(data)
  if (pid === undefined) return undefined
  const mark = markProcess(pid)
  return isRunning(mark) && commandLine(pid).includes(data) ? mark : undefined
}

function recordedPid(data: string): number | undefined {
  const pid = Number(readIfThere(join(data, 'postmaster.pid'))?.split('\n')[0])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return '' // it ended in this moment
  }
}
