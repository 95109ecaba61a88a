/**
 * The real command line in a home of its own, with the real embedded servers behind it.
 *
 *   const cli = createCli()
 *   const { code, stdout } = await cli.run('status', '-o', 'json')
 *   const match = cli.start('start-match', '--project', '7')
 *   await match.until('Started.')
 *   match.interrupt()
 *   expect((await match.ended).code).toBe(130)
 *   await cli.remove()   // in afterEach/afterAll: stops all that was started, and fails when `down` left something
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findKeeper } from '../../src/client/stack/control-client.ts'
import { homePaths } from '../../src/client/stack/home.ts'
import { readIfThere } from '../../src/client/stack/private-file.ts'
import { isRunning, type ProcessMark } from '../../src/client/stack/process-identity.mjs'
import type { PartName } from '../../src/client/stack/process-record.ts'
import { removeSharedData } from '../../src/client/stack/shared-place.ts'
import { packageRoot } from '../../src/config.ts'
import { bareEnv } from './bare-env.ts'
import { type CommandHost, startCommandHost } from './command-host.ts'
import { processTree } from './process-tree.ts'
import { startCommand, type RunningCommand, type EndedCommand } from './running-command.ts'
import { startGuardian } from './start-guardian.ts'

/** A process of the embedded stack. */
export type StackProcess = PartName | 'keeper'

export interface Cli {
  readonly home: string
  /** Runs a command to its end. */
  readonly run: (...args: readonly string[]) => Promise<EndedCommand>
  /** Runs a command that must end with 0. @returns its stdout */
  readonly data: (...args: readonly string[]) => Promise<string>
  readonly start: (...args: readonly string[]) => RunningCommand
  /** Writes a file that commands can read. @returns its path */
  readonly file: (name: string, content: string) => string
  /** The processes of the stack that live now. */
  readonly processes: () => Readonly<Partial<Record<StackProcess, ProcessMark>>>
  /** kill -9, all at once; commands that are running are killed only by `killEverything`. Resolves when they are dead. */
  readonly kill: (...names: readonly StackProcess[]) => Promise<void>
  /** A signal to every process that lives, running commands included: SIGSTOP is a laptop asleep. */
  readonly signalEverything: (signal: NodeJS.Signals) => void
  /** kill -9 of every process: running commands, keeper and all its parts. */
  readonly killEverything: () => Promise<void>
  /** @throws when a process outlived `down`; it is killed then. */
  readonly remove: () => Promise<void>
}

export interface CliOptions {
  /**
   * `run` and `data` take processes that stay, where a test is about what commands do and not about their processes: ten
   * of them cost what one does by itself. Those that start and end servers, and `start`, have their own all the same.
   */
  readonly sharesProcesses?: boolean
}

const KILL_LIMIT_MS = 10_000
const WITH_THEIR_OWN = ['up', 'down', 'worker']

/** @param env settings on top of the defaults; none are taken from the environment of the test run. */
export function createCli(
  env: Readonly<Record<string, string>> = {},
  { sharesProcesses = false }: CliOptions = {},
): Cli {
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-cli-'))
  const home = join(folder, 'home')
  const cwd = join(folder, 'elsewhere')
  mkdirSync(cwd)
  const guardian = startGuardian()
  guardian.guardFolder(folder)
  const commands = new Set<RunningCommand>()
  const seen = new Map<string, ProcessMark>()
  const hosts: CommandHost[] = []
  const idleHosts: CommandHost[] = []
  const place = { cwd, env: { ...bareEnv(), ...env, RECORD_LINKER_HOME: home } }

  const processes = (): Partial<Record<StackProcess, ProcessMark>> => {
    const record = readIfThere(homePaths(home).processes)
    const parts = record === undefined ? {} : JSON.parse(record).processes
    const all = { keeper: findKeeper(home), ...parts } as Partial<Record<StackProcess, ProcessMark>>
    const living = Object.entries(all).filter(([, mark]) => mark && isRunning(mark))
    for (const [, mark] of living) remember(mark)
    return Object.fromEntries(living)
  }
  const remember = (mark: ProcessMark) => {
    const key = `${mark.pid} ${mark.identity}`
    if (!seen.has(key)) guardian.guardProcess(mark, 'SIGKILL')
    seen.set(key, mark)
  }

  const start: Cli['start'] = (...args) => {
    const command = startCommand(
      spawn(process.execPath, [join(packageRoot, 'scripts/run.mjs'), ...args], {
        ...place,
        // A process group of its own, as a shell gives it: Ctrl-C reaches this group and nothing else.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
      args,
    )
    remember(command.mark)
    commands.add(command)
    void command.ended.finally(() => {
      commands.delete(command)
      processes()
    })
    return command
  }
  const everything = () => [...[...commands].map(({ mark }) => mark), ...Object.values(processes())]
  const startHost = () => {
    const host = startCommandHost(place)
    remember(host.mark)
    hosts.push(host)
    return host
  }
  const run: Cli['run'] = async (...args) => {
    if (!sharesProcesses || WITH_THEIR_OWN.includes(args[0] ?? '')) return start(...args).ended
    const host = idleHosts.pop() ?? startHost()
    const ended = await host.run(args)
    idleHosts.push(host)
    processes()
    return ended
  }

  return {
    home,
    run,
    start,
    processes,
    async data(...args) {
      const { code, stdout, stderr } = await run(...args)
      if (code === 0) return stdout
      throw new Error(`${args.join(' ')} ended with ${code}, expected 0:\n${stderr}`)
    },
    file(name, content) {
      const path = join(cwd, name)
      writeFileSync(path, content)
      return path
    },
    async kill(...names) {
      const living = processes()
      const marks = names.map((name) => living[name])
      const missing = names.filter((_, index) => marks[index] === undefined)
      if (missing.length > 0) throw new Error(`expected to kill ${missing.join(', ')}: not running`)
      await killAll(marks.flatMap((mark) => mark ?? []))
    },
    signalEverything: (signal) => {
      const pids = new Set(everything().flatMap(({ pid }) => processTree(pid)))
      pids.forEach((pid) => process.kill(pid, signal))
    },
    killEverything: () => killAll(everything()),
    async remove() {
      const id = readIfThere(homePaths(home).id)
      try {
        await killAll([...commands].map(({ mark }) => mark))
        await Promise.all(hosts.map((host) => host.close()))
        const { code, stderr } = await run('down')
        const left = [...seen.values()].filter(isRunning)
        if (code !== 0) throw new Error(`down ended with ${code}:\n${stderr}`)
        if (left.length > 0) throw new Error(`still alive after down: ${JSON.stringify(left)}`)
      } finally {
        await guardian.cleanUp()
        if (id !== undefined) removeSharedData({ path: home, id })
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

async function killAll(marks: readonly ProcessMark[]): Promise<void> {
  for (const mark of marks) if (isRunning(mark)) process.kill(mark.pid, 'SIGKILL')
  const deadline = performance.now() + KILL_LIMIT_MS
  while (marks.some(isRunning)) {
    if (performance.now() > deadline) throw new Error(`not dead: ${JSON.stringify(marks)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
