/**
 * Starts a server once through the SDK, which downloads it into the given folder, and stops it again.
 * A process of its own, so that a download that hangs can be ended.
 *
 *   node sdk-download-child.mjs temporal|time-skipping FOLDER
 */
import { TestWorkflowEnvironment } from '@temporalio/testing'

const [server, downloadDir = ''] = process.argv.slice(2)
const executable = { type: /** @type {const} */ ('cached-download'), downloadDir }

const environment =
  server === 'temporal'
    ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
    : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
await environment.teardown()
// A failed start can keep the process alive (sdk-typescript#1443); a successful one need not.
process.exit(0)
