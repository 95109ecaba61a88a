import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { forgetOldest, touch } from '../client/stack/kept-by-use.mjs'
import { packageRoot } from '../config.ts'
import { typescriptArguments, typescriptEnv } from '../client/stack/node-program.ts'

const sourceFolder = fileURLToPath(new URL('../', import.meta.url))
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const bundler = new URL(`./bundle-child.${extension}`, import.meta.url)
const BUNDLED_FOLDERS = ['workflows', 'core']

/**
 * Path of the bundled workflow code, made once per state of its sources and kept in `cacheFolder`: bundling takes
 * seconds of a start, reading it none.
 */
export async function workflowBundlePath(cacheFolder: string): Promise<string> {
  const path = join(cacheFolder, `workflows-${await sourceHash()}.js`)
  if (await exists(path)) touch(path)
  else await make(path)
  forgetOldest(cacheFolder, 'workflows-')
  return path
}

async function make(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  await bundle(unfinished)
  await rename(unfinished, path)
}

/** In a process of its own: the bundler would leave this one more than 100 MB larger for good. */
async function bundle(path: string): Promise<void> {
  const entry = join(sourceFolder, 'workflows', `index.${extension}`)
  const child = fork(bundler, [entry, path], {
    execArgv: typescriptArguments(bundler),
    env: { ...process.env, ...typescriptEnv() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The workflows could not be bundled: exit code ${code}.`)
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const file of await sourceFiles()) {
    hash.update(relative(sourceFolder, file)).update(await readFile(file))
  }
  // What is bundled, by what, and how.
  hash.update(await readFile(join(packageRoot, 'package-lock.json')))
  hash.update(await readFile(bundler))
  return hash.digest('hex').slice(0, 32)
}

async function sourceFiles(): Promise<readonly string[]> {
  const lists = await Promise.all(
    BUNDLED_FOLDERS.map(async (folder) => {
      const root = join(sourceFolder, folder)
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
    }),
  )
  return lists.flat().toSorted()
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0
  } catch {
    // Not made yet.
    return false
  }
}
