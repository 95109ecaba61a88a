/** The real keeper as commands start it, compiled; the stand-ins are JavaScript too, for they are started many times. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureCompiled } from '../../../../scripts/set-up/compiled.mjs'

const compiled = await ensureCompiled()
/** @param {string} file of `src`, compiled */
const load = (file) => import(pathToFileURL(join(compiled, file)).href)
/** @type {typeof import('../../../../src/config.ts')} */
const { loadConfig } = await load('config.js')
/** @type {typeof import('../../../../src/client/stack/keeper.ts')} */
const { runKeeper } = await load('client/stack/keeper.js')

/**
 * A background keeper with stand-ins for the worker and the sample service.
 * @param {string} worker its file
 */
export async function runFakeKeeper(worker) {
  const end = await runKeeper({
    config: loadConfig(process.env),
    temporalCli: process.argv[2] ?? '',
    programs: {
      worker: new URL(worker, import.meta.url),
      sampleService: new URL('./sample-service.mjs', import.meta.url),
    },
    foreground: false,
    report: (line) => process.stderr.write(`${line}\n`),
    onReady: () => process.stderr.write('Ready.\n'),
  })
  process.stderr.write(`Ended: ${end.why} ${'error' in end ? String(end.error) : ''}\n`)
  process.exit(end.why === 'failed' ? 1 : 0)
}
