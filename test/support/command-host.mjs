/**
 * Runs command lines one after the other in a process that stays, as `scripts/run.mjs` runs one. Each message is one:
 * `{ args, mark }`; when it has ended, stdout and stderr each get the line `MARK CODE`, after all that it wrote.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureCompiled } from '../../scripts/set-up/compiled.mjs'

const folder = await ensureCompiled()
/** @type {typeof import('../../src/client/cli.ts')} */
const cli = await import(pathToFileURL(join(folder, 'client/cli.js')).href)

process.on('message', (/** @type {{ args: string[], mark: string }} */ told) => void run(told))
process.on('disconnect', () => process.exit(0))

/** @param {{ args: string[], mark: string }} told */
async function run({ args, mark }) {
  process.exitCode = undefined
  const code = await cli.main(args)
  for (const stream of [process.stdout, process.stderr]) {
    // Each command adds one, for the time until its process ends.
    stream.removeAllListeners('error')
    stream.write(`${mark} ${code}\n`)
  }
}
