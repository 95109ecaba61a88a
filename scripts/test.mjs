/**
 * Runs the tests from a bare clone; the last line is `N passed, N failed`.
 *
 *   node scripts/test.mjs [--project unit|simulated|integration|time-skipping|seeded-faults|faults|browser]… [VITEST ARGUMENTS]
 *
 * Failed are tests, files that do not load or whose hooks fail, and errors outside of any test. Finding no
 * test at all is a failure too.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from './set-up/places.mjs'
import { exitWithSetUpError } from './set-up/set-up-error.mjs'
import { setUp } from './set-up/set-up.mjs'
import { obtainTemporalServer } from './set-up/temporal-server.mjs'
import { obtainTimeSkippingServer } from './set-up/time-skipping-server.mjs'

/** The whole of the faults takes more than an hour: it runs by its own name. */
const DEFAULT_PROJECTS = [
  'unit',
  'simulated',
  'integration',
  'time-skipping',
  'browser',
  'seeded-faults',
]

const args = process.argv.slice(2)
const named = args.flatMap((arg, index) => {
  if (arg === '--project') return [args[index + 1]]
  return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : []
})
const projects = named.length > 0 ? [] : DEFAULT_PROJECTS.map((name) => `--project=${name}`)
const needsNoServer = ['unit', 'simulated']
const isServerless = named.length > 0 && named.every((name) => needsNoServer.includes(name ?? ''))

try {
  await setUp()
  if (!isServerless) {
    process.env.RECORD_LINKER_TEMPORAL_CLI = await obtainTemporalServer()
    process.env.RECORD_LINKER_TIME_SKIPPING_SERVER = await obtainTimeSkippingServer()
  }
} catch (error) {
  exitWithSetUpError(error)
}

// Ctrl-C reaches vitest by itself, which then stops its servers; we wait for that.
process.on('SIGINT', () => undefined)
const folder = mkdtempSync(join(tmpdir(), 'record-linker-test-'))
const report = join(folder, 'report.json')
try {
  const vitest = spawn(
    process.execPath,
    [
      join(packageRoot, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...projects,
      ...args,
    ],
    { cwd: packageRoot, stdio: 'inherit' },
  )
  process.on('SIGTERM', () => vitest.kill('SIGTERM'))
  const [code] = await once(vitest, 'exit')
  const { passed, failed } = count(code)
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @param {number | null} exitCode of vitest */
function count(exitCode) {
  /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
  const files = readReport()?.testResults ?? []
  const statuses = files.flatMap((file) => file.assertionResults.map((test) => test.status))
  const passed = statuses.filter((status) => status === 'passed').length
  const failedTests = statuses.filter((status) => status === 'failed').length
  const brokenFiles = files.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = failedTests + brokenFiles
  // No test found, an error outside of the tests, a set-up that failed, Ctrl-C: the exit code alone tells.
  const hidden = failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : 0
  return { passed, failed: failed + hidden }
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return undefined // vitest ended before it wrote one; its exit code tells
  }
}
