/** One real PostgreSQL and one real Temporal dev server for all integration tests of a run. */
import type { TestProject } from 'vitest/node'
import { obtainTemporalServer } from '../../scripts/set-up/temporal-server.mjs'
import { startGuardian } from './start-guardian.ts'
import {
  bundleWorkflows,
  makeTestFolder,
  nothingToKeep,
  startTestPostgres,
  startTestTemporal,
} from './test-servers.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const guardian = startGuardian()
  try {
    const folder = makeTestFolder(guardian)
    const cli = process.env['RECORD_LINKER_TEMPORAL_CLI'] ?? (await obtainTemporalServer())
    const [postgresUrl, temporalAddress, workflowBundlePath] = await Promise.all([
      startTestPostgres(guardian, folder, nothingToKeep),
      startTestTemporal(guardian, folder, cli),
      bundleWorkflows(),
    ])
    project.provide('postgresUrl', postgresUrl)
    project.provide('temporalAddress', temporalAddress)
    project.provide('temporalCliPath', cli)
    project.provide('workflowBundlePath', workflowBundlePath)
    return guardian.cleanUp
  } catch (error) {
    await guardian.cleanUp()
    throw error
  }
}
