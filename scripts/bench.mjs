/**
 * Runs a benchmark from a bare clone: set-up first, then its `main` through tsx.
 *
 *   node scripts/bench.mjs NAME [ARGUMENTS]     NAME is a folder of bench/
 */
import { fileURLToPath } from 'node:url'
import { setUp } from './set-up/set-up.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'

await setUp().catch(exitWithSetUpError)

process.env.TSX_TSCONFIG_PATH = fileURLToPath(new URL('../tsconfig.json', import.meta.url))
const { register } = await import('tsx/esm/api')
register()

const [name, ...args] = process.argv.slice(2)
const bench = await import(new URL(`../bench/${name}/main.ts`, import.meta.url).href)
process.exitCode = await bench.main(args)
