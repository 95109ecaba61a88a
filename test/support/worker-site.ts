/**
 * Real worker processes on servers of one's own, as in production: a namespace and a database of their own, and
 * `./record-linker worker` as often as wanted.
 *
 *   const site = await openWorkerSite()
 *   const worker = site.start('--grace', '1')
 *   await worker.until('The worker is ready')
 *   const run = await site.match(project.id)
 *   process.kill(worker.mark.pid, 'SIGTERM')
 *   await site.close()
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { inject } from 'vitest'
import { packageRoot } from '../../src/config.ts'
import { defaultRunOptions, type RunOptions } from '../../src/core/run.ts'
import { matchProjectId, WORK_TASK_QUEUE } from '../../src/core/workflow-ids.ts'
import { connectDatabase, type Db } from '../../src/db/connect.ts'
import { isRunning } from '../../src/client/stack/process-identity.mjs'
import type { matchProject } from '../../src/workflows/match-project.ts'
import { bareEnv } from './bare-env.ts'
import { type RunningCommand, startCommand } from './running-command.ts'
import { startGuardian } from './start-guardian.ts'
import { createTempDatabase } from './temp-database.ts'

export interface WorkerSite {
  readonly client: Client
  readonly db: Db
  readonly databaseUrl: string
  readonly temporalAddress: string
  /** A worker of this code; `env` stands above the addresses of this site. */
  readonly start: (...args: readonly string[]) => RunningCommand
  readonly startWith: (start: WorkerStart) => RunningCommand
  readonly match: (projectId: number, options?: Partial<RunOptions>) => Promise<SiteRun>
  readonly close: () => Promise<void>
}

export interface WorkerStart {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Root of another version of this program; default: this one. */
  readonly root?: string
}

export type SiteRun = Awaited<
  ReturnType<typeof Client.prototype.workflow.start<typeof matchProject>>
>

/** @param bundles of workflow code that workers of another version will look for, beside those of this one */
export async function openWorkerSite(bundles: readonly string[] = []): Promise<WorkerSite> {
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-site-'))
  const guardian = startGuardian()
  guardian.guardFolder(folder)
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  for (const bundle of [inject('workflowBundlePath'), ...bundles]) {
    copyFileSync(bundle, join(cache, basename(bundle)))
  }
  const database = await createTempDatabase()
  const db = connectDatabase(database.url)
  const temporalAddress = inject('temporalAddress')
  const namespace = `site-${randomUUID()}`
  const connection = await Connection.connect({ address: temporalAddress })
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  })
  const client = new Client({ connection, namespace })
  const workers = new Set<RunningCommand>()

  const startWith: WorkerSite['startWith'] = ({ args = [], env = {}, root = packageRoot }) => {
    const worker = startCommand(
      spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'worker', ...args], {
        cwd: folder,
        detached: true,
        env: {
          ...bareEnv(),
          TEMPORAL_ADDRESS: temporalAddress,
          TEMPORAL_NAMESPACE: namespace,
          DATABASE_URL: database.url,
          RECORD_LINKER_HOME: folder,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
      ['worker', ...args],
    )
    guardian.guardProcess(worker.mark, 'SIGKILL')
    workers.add(worker)
    return worker
  }
  return {
    client,
    db,
    databaseUrl: database.url,
    temporalAddress,
    start: (...args) => startWith({ args }),
    startWith,
    match: (projectId, options = {}) =>
      client.workflow.start<typeof matchProject>('matchProject', {
        workflowId: matchProjectId(projectId),
        taskQueue: WORK_TASK_QUEUE,
        args: [
          {
            projectId,
            settingsRevision: 1,
            options: { ...defaultRunOptions, ...options },
            searchAttributes: false,
          },
        ],
      }),
    async close() {
      for (const { mark } of workers) if (isRunning(mark)) process.kill(mark.pid, 'SIGKILL')
      await Promise.all([...workers].map(({ ended }) => ended))
      await connection.close()
      await db.destroy()
      try {
        await database.drop()
      } finally {
        await guardian.cleanUp()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}
