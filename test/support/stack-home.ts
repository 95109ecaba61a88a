/** A home of its own for a test of the embedded stack, and what a test wants to know of that stack. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, type Config } from '../../src/config.ts'
import { findKeeper } from '../../src/client/stack/control-client.ts'
import { ensureStack } from '../../src/client/stack/ensure-stack.ts'
import { homePaths } from '../../src/client/stack/home.ts'
import { readIfThere } from '../../src/client/stack/private-file.ts'
import { isRunning, type ProcessMark } from '../../src/client/stack/process-identity.mjs'
import type { PartName } from '../../src/client/stack/process-record.ts'
import { removeSharedData } from '../../src/client/stack/shared-place.ts'
import type { Stack } from '../../src/client/stack/stack.ts'
import { stopStack } from '../../src/client/stack/stop-stack.ts'

export interface StackHome {
  readonly path: string
  readonly config: Config
  /** Finds or starts the stack, with stand-ins for worker and sample service. */
  readonly ensure: (report?: (line: string) => void, entry?: URL) => Promise<Stack>
  /** As `ensure`, with other settings. */
  readonly ensureWith: (config: Config) => Promise<Stack>
  readonly stop: (report?: (line: string) => void) => ReturnType<typeof stopStack>
  readonly keeper: () => ProcessMark | undefined
  readonly processes: () => Readonly<Partial<Record<PartName, ProcessMark>>>
  /** Keeper and parts that live now. */
  readonly running: () => readonly ProcessMark[]
  readonly remove: () => Promise<void>
}

const fakeKeeper = new URL('../integration/stack/fakes/keeper.mjs', import.meta.url)

/** @param env settings on top of the defaults; nothing is taken from the environment of the test run. */
export function makeStackHome(env: Readonly<Record<string, string>> = {}): StackHome {
  // A space and a sign, as people's folders have them.
  const path = join(mkdtempSync(join(tmpdir(), 'record-linker-stack-')), 'home of mine & yours')
  const config = loadConfig({ ...env, RECORD_LINKER_HOME: path })
  const processes = (): StackHome['processes'] extends () => infer P ? P : never =>
    JSON.parse(readIfThere(homePaths(path).processes) ?? '{"processes":{}}').processes
  const keeper = () => findKeeper(path)
  return {
    path,
    config,
    ensure: (report = () => undefined, keeperEntry = fakeKeeper) =>
      ensureStack(config, report, { keeperEntry }),
    ensureWith: (other) => ensureStack(other, () => undefined, { keeperEntry: fakeKeeper }),
    stop: (report = () => undefined) => stopStack(config, report),
    keeper,
    processes,
    running: () =>
      [keeper(), ...Object.values(processes())].flatMap((mark) =>
        mark && isRunning(mark) ? [mark] : [],
      ),
    remove: async () => {
      const id = readIfThere(homePaths(path).id)
      await stopStack(config, () => undefined)
      if (id !== undefined) removeSharedData({ path, id })
      rmSync(join(path, '..'), { recursive: true, force: true })
    },
  }
}
