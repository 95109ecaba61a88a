import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type Logger } from '@temporalio/worker'

const sourceFolder = fileURLToPath(new URL('../', import.meta.url))
const BUNDLED_FOLDERS = ['workflows', 'core']

/**
 * Path of the bundled workflow code, made once per state of its sources and kept in `cacheFolder`: bundling takes
 * seconds of a start, reading it none.
 */
export async function workflowBundlePath(cacheFolder: string, logger: Logger): Promise<string> {
  const path = join(cacheFolder, `workflows-${await sourceHash()}.js`)
  if (await exists(path)) return path
  const { code } = await bundleWorkflowCode({ workflowsPath: workflowsEntry(), logger })
  await mkdir(cacheFolder, { recursive: true })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, code)
  await rename(unfinished, path)
  return path
}

/** The entry of the bundle: TypeScript in development, JavaScript once built. */
function workflowsEntry(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return join(sourceFolder, 'workflows', `index.${extension}`)
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  const lockFile = join(sourceFolder, '..', 'package-lock.json')
  for (const file of [...(await sourceFiles()), lockFile]) {
    hash.update(file).update(await readFile(file))
  }
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
