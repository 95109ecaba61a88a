/** The origin, which dies, stands still and turns requests down when it is told to. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typescriptArguments, typescriptEnv } from '../../../src/client/stack/node-program.ts'
import { markProcess, type ProcessMark } from '../../../src/client/stack/process-identity.mjs'
import { startGuardian } from '../../support/start-guardian.ts'
import type { OriginOrder, OriginReady } from './origin-entry.ts'
import { type OriginLog, originLog } from './origin-log.ts'

export interface KillableOrigin {
  /** `127.0.0.1:<port>`, the same after each death. */
  readonly domain: string
  readonly log: OriginLog
  /** The process of now; undefined while it is dead. */
  readonly mark: () => ProcessMark | undefined
  /** kill -9; resolves when it is dead. */
  readonly kill: () => Promise<void>
  /** Resolves when it listens. */
  readonly start: () => Promise<void>
  readonly order: (order: OriginOrder) => void
  readonly close: () => Promise<void>
}

export interface OriginOptions {
  /** Of each batch. */
  readonly delayMs: number
  /** Questions per request. */
  readonly batchSize: number
}

const entry = new URL('./origin-process.ts', import.meta.url)

export async function startKillableOrigin(options: OriginOptions): Promise<KillableOrigin> {
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-origin-'))
  const guardian = startGuardian()
  guardian.guardFolder(folder)
  const files: string[] = []
  let port = 0
  let child: ChildProcess | undefined

  const start = async () => {
    const file = join(folder, `log-${files.length}`)
    writeFileSync(file, '')
    files.push(file)
    const args = [port, file, options.delayMs, options.batchSize].map(String)
    const born = fork(fileURLToPath(entry), args, {
      execArgv: typescriptArguments(entry),
      env: { ...process.env, ...typescriptEnv() },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    guardian.guardProcess(markProcess(born.pid ?? 0), 'SIGKILL')
    const [ready] = (await once(born, 'message')) as [OriginReady]
    port = ready.port
    child = born
  }
  const kill = async () => {
    const dying = child
    child = undefined
    if (dying === undefined || dying.exitCode !== null) return
    const dead = once(dying, 'exit')
    dying.kill('SIGKILL')
    await dead
  }
  await start()
  return {
    domain: `127.0.0.1:${port}`,
    log: originLog(() => files),
    mark: () => (child === undefined ? undefined : markProcess(child.pid ?? 0)),
    kill,
    start,
    order: (order) => void child?.send(order),
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
      await guardian.cleanUp()
    },
  }
}
