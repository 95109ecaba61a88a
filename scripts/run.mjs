/**
 * Runs the command line from a bare clone: set-up first, then the CLI, compiled.
 *
 *   node scripts/run.mjs COMMAND [ARGUMENTS]
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureCompiled } from './set-up/compiled.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'
import { setUp } from './set-up/set-up.mjs'

const folder = await setUp().then(ensureCompiled).catch(exitWithSetUpError)

/** @type {typeof import('../src/client/cli.ts')} */
const cli = await import(pathToFileURL(join(folder, 'client/cli.js')).href)
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
