/**
 * Runs the command line from a bare clone: set-up first, then the CLI through tsx.
 *
 *   node scripts/run.mjs COMMAND [ARGUMENTS]
 */
import { fileURLToPath } from 'node:url'
import { setUp } from './set-up/set-up.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'

await setUp().catch(exitWithSetUpError)

// tsx looks for a tsconfig in the current folder, which is anywhere; processes we start inherit this.
process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL('../tsconfig.json', import.meta.url))
const { register } = await import('tsx/esm/api')
register()

const cli = await import('../src/client/cli.ts')
const code = await cli.main(process.argv.slice(2))
await flush(process.stdout)
await flush(process.stderr)
// Ends now: an idle connection must not hold the prompt back.
process.exit(code)

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {Promise<void>} when everything written so far has left the process, also into a slow pipe.
 */
function flush(stream) {
  return new Promise((resolve) => {
    if (stream.writableLength === 0) resolve()
    else stream.write('', () => resolve())
  })
}
