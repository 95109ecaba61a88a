import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProcessMark } from '../../src/client/stack/process-identity.mjs'

/** Cleans up behind a test run, also one that is killed. */
export interface Guardian {
  readonly guardProcess: (mark: ProcessMark, signal: NodeJS.Signals) => void
  readonly guardFolder: (path: string) => void
  /** A volume that is mounted there. */
  readonly guardMount: (path: string) => void
  /** Resolves when everything guarded is gone. */
  readonly cleanUp: () => Promise<void>
}

/** A process of its own, out of reach of Ctrl-C. */
export function startGuardian(): Guardian {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./guardian.mjs', import.meta.url))],
    { detached: true, stdio: ['pipe', 'ignore', 'inherit'] },
  )
  child.unref()
  const tell = (guarded: object) => void child.stdin.write(`${JSON.stringify(guarded)}\n`)
  return {
    guardProcess: (mark, signal) => tell({ process: mark, signal }),
    guardFolder: (folder) => tell({ folder }),
    guardMount: (mount) => tell({ mount }),
    cleanUp: async () => {
      child.stdin.end()
      // Waited for also where nothing else keeps this process alive.
      child.ref()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
