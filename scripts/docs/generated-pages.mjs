/** The pages of docs that are made of the code, so that they say what it does. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureCompiled } from '../set-up/compiled.mjs'
import { packageRoot } from '../set-up/places.mjs'
import { dashboardFiles } from './dashboards.mjs'

/** @returns {Promise<Map<string, string>>} path → text */
async function generatedPages() {
  const folder = await ensureCompiled()
  /** @param {string} path */
  const load = (path) => import(pathToFileURL(join(folder, path)).href)
  /** @type {typeof import('../../src/core/metrics/metrics-page.ts')} */
  const { metricsPage } = await load('core/metrics/metrics-page.js')
  /** @type {typeof import('../../src/client/reference/commands-page.ts')} */
  const { commandsPage } = await load('client/reference/commands-page.js')
  /** @type {typeof import('../../src/client/reference/configuration-page.ts')} */
  const { configurationPage } = await load('client/reference/configuration-page.js')
  /** @type {typeof import('../../src/client/cli.ts')} */
  const { createProgram } = await load('client/cli.js')
  return new Map([
    ['docs/metrics.md', metricsPage()],
    ['docs/commands.md', commandsPage(createProgram())],
    ['docs/configuration.md', configurationPage()],
    ...dashboardFiles(),
  ])
}

export async function writeGeneratedPages() {
  for (const [path, text] of await generatedPages()) writeFileSync(join(packageRoot, path), text)
}

/** @returns {Promise<{ ok: boolean, output: string }>} */
export async function checkGeneratedPages() {
  const pages = await generatedPages()
  const old = [...pages].filter(([path, text]) => {
    const file = join(packageRoot, path)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  const lines = old.map(([path]) => `${path} is not what the code says: node scripts/docs.mjs`)
  return { ok: old.length === 0, output: lines.join('\n') }
}
