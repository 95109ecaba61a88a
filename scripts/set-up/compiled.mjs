/**
 * Our TypeScript as JavaScript in `dist/KEY/`, made again whenever a source file has changed. Each state of the sources has
 * a folder of its own, so a process that runs goes on with the code it began with. A loader that compiles while it reads
 * would cost each of our processes half a second, and slow the innermost loops down.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { forgetOldest, touch } from '../../src/client/stack/kept-by-use.mjs'
import { packageRoot } from './places.mjs'
import { SetUpError } from './set-up-error.mjs'

const source = join(packageRoot, 'src')
const dist = join(packageRoot, 'dist')
const modules = join(packageRoot, 'node_modules')
const TARGET = 'node20'
/** A relative import of a TypeScript file, as esbuild prints it. */
const RELATIVE_IMPORT = /((?:\bfrom|\bimport)\s*\(?\s*"\.{1,2}\/[^"]+)\.tsx?"/g
/**
 * Packages of hundreds of files that nearly every process reads, a millisecond each. Put together they are read in a
 * tenth of that. Workflows and `src/core` import none of them.
 */
const IN_ONE_FILE = ['kysely', 'zod']
const PACKAGES = 'packages'
const PACKAGE_IMPORT = new RegExp(
  `((?:\\bfrom|\\bimport)\\s*\\(?\\s*")(${IN_ONE_FILE.join('|')})"`,
  'g',
)

/**
 * @returns {Promise<string>} the folder that has what `src` has, as JavaScript
 * @throws {SetUpError} `dist` cannot be written, or a source file cannot be read as TypeScript.
 */
export async function ensureCompiled() {
  const files = sourceFiles()
  const folder = join(dist, keyOf(files))
  if (existsSync(folder)) {
    touch(folder)
    return folder
  }
  const unfinished = join(dist, `unfinished-${process.pid}`)
  try {
    mkdirSync(unfinished, { recursive: true })
  } catch (error) {
    throw asSetUpError(error)
  }
  try {
    await compile(files, unfinished)
    putInPlace(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw asSetUpError(error)
  }
  forgetOldest(dist)
  return folder
}

/** @returns {string[]} paths relative to `src` */
function sourceFiles() {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1))
    .toSorted()
}

/**
 * Of our sources, times and sizes tell as much as contents, and are read in a tenth of the time.
 * @param {readonly string[]} files
 */
function keyOf(files) {
  const hash = createHash('sha256').update(`${TARGET} ${process.versions.modules}`)
  for (const file of files.map((name) => join(source, name))) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`\n${file} ${mtimeMs} ${size}`)
  }
  const packages = IN_ONE_FILE.map((name) => join(modules, name, 'package.json'))
  for (const file of [...packages, import.meta.filename]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/**
 * @param {readonly string[]} files
 * @param {string} folder
 */
async function compile(files, folder) {
  // Only now: where nothing has changed it is not needed.
  const { build, transform } = await import('esbuild')
  const packages = build({
    entryPoints: IN_ONE_FILE,
    absWorkingDir: modules,
    outdir: join(folder, PACKAGES),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    logLevel: 'silent',
  })
  const parts = await Promise.allSettled([
    packages,
    ...files.map(async (file) => {
      const from = join(source, file)
      const to = join(folder, file.replace(/\.tsx?$/, '.js'))
      mkdirSync(dirname(to), { recursive: true })
      if (!/\.tsx?$/.test(file)) return cpSync(from, to)
      const { code } = await transform(readFileSync(from, 'utf8'), {
        loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
        format: 'esm',
        target: TARGET,
        jsx: 'automatic',
        jsxImportSource: 'hono/jsx',
        sourcefile: from,
      })
      const up = relative(dirname(to), join(folder, PACKAGES))
      writeFileSync(
        to,
        code
          .replace(RELATIVE_IMPORT, '$1.js"')
          .replace(PACKAGE_IMPORT, `$1${up.startsWith('.') ? up : `./${up}`}/$2.js"`),
      )
    }),
  ])
  // Only when nothing is written any more can the folder be removed.
  const failed = parts.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/**
 * @param {string} unfinished
 * @param {string} folder
 */
function putInPlace(unfinished, folder) {
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process was quicker; its files are the same.
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** @param {unknown} error */
function asSetUpError(error) {
  const message = error instanceof Error ? error.message : String(error)
  return new SetUpError(
    `the program could not be compiled into ${dist}: ${message}`,
    'Check that this folder can be written and that the sources are whole (git status), then run the command again.',
  )
}
