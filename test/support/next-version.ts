/**
 * The next version of this program: a copy of it whose workflows do something more, as a release would. A task waits a
 * moment at its start, guarded by a patch marker; and the brain of the limiters has the next number.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { typescriptArguments, typescriptEnv } from '../../src/client/stack/node-program.ts'
import { packageRoot } from '../../src/config.ts'

export interface NextVersion {
  /** Where its `scripts` and `src` are. */
  readonly root: string
  /** Its bundled workflows. */
  readonly bundle: string
  readonly remove: () => void
}

export interface NextVersionOptions {
  /** Without the marker it is a mistake that breaks running tasks; default true. */
  readonly isPatched?: boolean
}

const copied = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']

export async function makeNextVersion(options: NextVersionOptions = {}): Promise<NextVersion> {
  const { isPatched = true } = options
  const root = mkdtempSync(join(tmpdir(), 'record-linker-next-'))
  for (const name of copied) cpSync(join(packageRoot, name), join(root, name), { recursive: true })
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'))
  const guard = isPatched ? "if (nextPatched('waits-a-moment')) " : ''
  change(join(root, 'src/workflows/match-task.ts'), [
    [
      /^import /m,
      "import { patched as nextPatched, sleep as nextSleep } from '@temporalio/workflow'\nimport ",
    ],
    [
      /(export async function matchTask\([^)]*\): Promise<void> \{\n)/,
      `$1  ${guard}await nextSleep('1 millisecond')\n`,
    ],
  ])
  change(join(root, 'src/core/limiter/limiter-state.ts'), [
    [
      /(export const STEP_VERSION = )(\d+)/,
      (_, name: string, n: string) => `${name}${Number(n) + 1}`,
    ],
  ])
  const bundle = await bundleOf(root)
  return { root, bundle, remove: () => rmSync(root, { recursive: true, force: true }) }
}

async function bundleOf(root: string): Promise<string> {
  const program = pathToFileURL(join(root, 'src/workers/workflow-bundle.ts'))
  const script = `import { workflowBundlePath } from ${JSON.stringify(program.href)}
    process.stdout.write(await workflowBundlePath(${JSON.stringify(join(root, 'cache'))}))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...typescriptArguments(program), '--input-type=module', '-e', script],
    { cwd: root, env: { ...process.env, ...typescriptEnv() } },
  )
  return stdout
}

type Change = readonly [RegExp, string | ((...groups: string[]) => string)]

function change(file: string, changes: readonly Change[]): void {
  let text = readFileSync(file, 'utf8')
  for (const [pattern, by] of changes) {
    const changed = typeof by === 'string' ? text.replace(pattern, by) : text.replace(pattern, by)
    if (changed === text) throw new Error(`expected ${String(pattern)} in ${file}`)
    text = changed
  }
  writeFileSync(file, text)
}
