import { ensureNodeModules } from './node-modules.mjs'
import { checkNodeVersion } from './node-version.mjs'

/**
 * What every command needs: a fitting Node and the node modules. Says something only when there is work.
 * @throws {import('./set-up-error.mjs').SetUpError}
 */
export async function setUp() {
  checkNodeVersion()
  await ensureNodeModules()
}
