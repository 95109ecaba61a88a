/** One real PostgreSQL for all time-skipping tests; each test starts a test server, and so a clock, of its own. */
import type { TestProject } from 'vitest/node'
import { obtainTimeSkippingServer } from '../../scripts/set-up/time-skipping-server.mjs'
import { startGuardian } from './start-guardian.ts'
import {
  bundleWorkflows,
  makeTestFolder,
  nothingToKeep,
  startTestPostgres,
} from './test-servers.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const guardian = startGuardian()
  try {
    const folder = makeTestFolder(guardian)
    const server =
      process.env['RECORD_LINKER_TIME_SKIPPING_SERVER'] ?? (await obtainTimeSkippingServer())
    const [postgresUrl, workflowBundlePath] = await Promise.all([
      startTestPostgres(guardian, folder, nothingToKeep),
      bundleWorkflows(),
    ])
    project.provide('postgresUrl', postgresUrl)
    project.provide('timeSkippingServerPath', server)
    project.provide('workflowBundlePath', workflowBundlePath)
    return guardian.cleanUp
  } catch (error) {
    await guardian.cleanUp()
    throw error
  }
}
