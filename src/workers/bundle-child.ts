/** The forked process of `workflow-bundle.ts`: bundles the workflows whose entry is given and writes them to a file. */
import { writeFile } from 'node:fs/promises'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const [workflowsPath = '', path = ''] = process.argv.slice(2)
const { code } = await bundleWorkflowCode({
  workflowsPath,
  // Evaluated once for all workflows of a worker instead of once for each; they keep nothing beside their constants.
  preloadModules: [workflowsPath],
  logger: new DefaultLogger('WARN'),
})
await writeFile(path, code)
