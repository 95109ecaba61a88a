/** A clone in which nothing is installed, on a machine that has only the programs a test gives it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packageRoot } from '../../src/config.ts'
import { readIfThere } from '../../src/client/stack/private-file.ts'

export interface BareClone {
  readonly cache: string
  /** Puts a shell script on PATH. It can add to the log: `echo "npm $*" >> "$LOG"`. */
  readonly program: (name: string, script: string) => void
  readonly write: (file: string, content: string) => void
  /** What the programs logged. */
  readonly log: () => readonly string[]
  /** Runs a script of `scripts/`. */
  readonly run: (
    script: string,
    ...args: readonly string[]
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>
  readonly remove: () => void
}

const neededFromSource = ['kept-by-use.mjs', 'process-lock.mjs', 'process-identity.mjs']

export function makeBareClone(): BareClone {
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-clone-'))
  const path = join(folder, 'a clone')
  const bin = join(folder, 'bin')
  const cache = join(folder, 'cache')
  const logFile = join(folder, 'log')
  mkdirSync(bin)
  cpSync(join(packageRoot, 'scripts'), join(path, 'scripts'), { recursive: true })
  for (const name of neededFromSource) {
    cpSync(join(packageRoot, 'src/client/stack', name), join(path, 'src/client/stack', name))
  }
  for (const name of ['sh', 'mkdir', 'cat', 'sleep', 'chmod']) {
    symlinkSync(findProgram(name), join(bin, name))
  }
  const write: BareClone['write'] = (file, content) => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), content)
  }
  return {
    cache,
    write,
    program: (name, script) =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    log: () => (readIfThere(logFile) ?? '').split('\n').filter((line) => line !== ''),
    run: async (script, ...args) => {
      const child = spawn(process.execPath, [join(path, 'scripts', script), ...args], {
        cwd: '/',
        env: { PATH: bin, LOG: logFile, XDG_CACHE_HOME: cache, HOME: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ])
      return { code: Number(code), stdout, stderr }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function findProgram(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(':')
  const found = folders.map((one) => join(one, name)).find((one) => readIfThere(one) !== undefined)
  if (found === undefined) throw new Error(`no program ${name} on PATH`)
  return found
}

/** A lock file with these packages, as npm writes it for the project and into node_modules. */
export function lockFile(versions: Readonly<Record<string, string>>): string {
  const packages = Object.entries(versions).map(([name, version]) => [
    `node_modules/${name}`,
    { version },
  ])
  return JSON.stringify({ packages: Object.fromEntries([['', {}], ...packages]) })
}
