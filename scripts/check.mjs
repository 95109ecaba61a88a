/**
 * Format, lint, types, dead code, pages made of the code and the rules of the house; one line each, and the output of what failed.
 *
 *   node scripts/check.mjs [--fix]     with --fix: formats, and repairs what lint can repair
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { checkHouseRules } from './check/house-rules.mjs'
import { checkGeneratedPages } from './docs/generated-pages.mjs'
import { packageRoot } from './set-up/places.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'
import { setUp } from './set-up/set-up.mjs'

await setUp().catch(exitWithSetUpError)

const fix = process.argv.includes('--fix')
/** @type {readonly { name: string, run: () => Promise<{ ok: boolean, output: string }> }[]} */
const checks = [
  {
    name: 'format',
    run: () => tool('prettier', [fix ? '--write' : '--check', '.', '--log-level=warn']),
  },
  {
    name: 'lint',
    run: () => tool('oxlint', ['--type-aware', '--deny-warnings', ...(fix ? ['--fix'] : [])]),
  },
  { name: 'types', run: () => tool('tsc', ['--noEmit']) },
  { name: 'dead code', run: () => tool('knip', []) },
  { name: 'generated docs', run: checkGeneratedPages },
  { name: 'house rules', run: checkHouseRules },
]

for (const check of checks) {
  const { ok, output } = await check.run()
  process.stdout.write(`${check.name}: ${ok ? 'ok' : 'failed'}\n`)
  if (!ok || check.run === checkHouseRules) process.stdout.write(`${output.trimEnd()}\n`)
  if (!ok) process.exitCode = 1
}

/**
 * @param {string} name of a program of node_modules
 * @param {readonly string[]} args
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function tool(name, args) {
  return new Promise((resolve) => {
    const path = join(packageRoot, 'node_modules/.bin', name)
    const options = { cwd: packageRoot, maxBuffer: 64 * 1024 * 1024 }
    execFile(path, args, options, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    )
  })
}
