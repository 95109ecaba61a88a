import type { Config } from '../../config.ts'
import { stopProcess, waitForEnd } from './background-process.ts'
import { connectKeeper, findKeeper } from './control-client.ts'
import { homePaths, makeHomeFolder } from './home.ts'
import type { KeeperFile } from './keeper-event.ts'
import { stopPostgres } from './postgres-pid-file.ts'
import { isRunning, type ProcessMark } from './process-identity.mjs'
import { takeProcessLock } from './process-lock.mjs'
import { processRecord, type PartName } from './process-record.ts'
import { stopTemporal } from './temporal-server.ts'

/** A keeper first lets its worker finish what it is doing. */
const KEEPER_END_LIMIT_MS = 120_000

/** How a leftover of each kind is stopped, in the order in which they need each other. */
const stopLeftover: Readonly<Record<PartName, (mark: ProcessMark) => Promise<void>>> = {
  pages: (mark) => stopProcess(mark, programSteps),
  worker: (mark) => stopProcess(mark, programSteps),
  sampleService: (mark) => stopProcess(mark, programSteps),
  temporal: (mark) => stopTemporal(mark, false),
  postgres: (mark) => stopPostgres(mark, false),
}
const programSteps = [
  { signal: 'SIGTERM', waitMs: 40_000 },
  { signal: 'SIGKILL', waitMs: 5000 },
] as const

/**
 * Ends the embedded stack of the configured home and resolves when all of it is down.
 * @returns `leftovers`: its keeper had been killed, and what was left of it was stopped.
 */
export async function stopStack(
  config: Config,
  report: (line: string) => void,
): Promise<'stopped' | 'leftovers' | 'nothing ran'> {
  const home = makeHomeFolder(config.home)
  const keeper = findKeeper(home)
  if (keeper) await askToEnd(keeper, report)
  const left = await stopLeftovers(home, report) // a keeper may be killed while it is asked
  return keeper && left === 'nothing ran' ? 'stopped' : left
}

async function askToEnd(keeper: KeeperFile, report: (line: string) => void): Promise<void> {
  const line = await connectKeeper(keeper, '/down')
  if (line) {
    // What it said before is told to whoever comes late, and is old.
    let isStopping = false
    for await (const event of line.events) {
      if (event.event === 'stopping') isStopping = true
      if (event.event === 'progress' && isStopping) report(event.text)
    }
  }
  if (await waitForEnd(keeper, KEEPER_END_LIMIT_MS)) return
  report(`Process ${keeper.pid} does not end; killing it.`)
  await stopProcess(keeper, [{ signal: 'SIGKILL', waitMs: 5000 }])
}

async function stopLeftovers(
  home: string,
  report: (line: string) => void,
): Promise<'stopped' | 'leftovers' | 'nothing ran'> {
  const taken = takeProcessLock(homePaths(home).lock)
  if ('owner' in taken) {
    report(`Process ${taken.owner.pid} is just starting or ending the servers; waiting for it …`)
    await waitForEnd(taken.owner, KEEPER_END_LIMIT_MS)
    return 'stopped'
  }
  try {
    const processes = processRecord(homePaths(home).processes, home)
    let found = false
    for (const name of ['worker', 'sampleService', 'temporal', 'postgres'] as const) {
      const mark = processes.get(name)
      if (mark === undefined || !isRunning(mark)) continue
      found = true
      report(`Stopping what a killed stack left: ${name} (process ${mark.pid}) …`)
      await stopLeftover[name](mark)
    }
    return found ? 'leftovers' : 'nothing ran'
  } finally {
    taken.held.release()
  }
}
