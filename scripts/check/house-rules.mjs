/** Rules that no linter has: length and names of files; and a table of lengths, as small files are the aim. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { packageRoot } from '../set-up/places.mjs'

const LONGEST_FILE = 300
/** Frozen, or data. */
const mayBeLonger = /^(src\/db\/migrations|test\/(fixtures|histories))\//
const forbiddenName = /^(utils?|helpers?|common|lib|types|interfaces)\.m?[jt]sx?$/
const framework = /^src\/(workflows|activities|db\/migrations)\/index\.ts$/

export async function checkHouseRules() {
  const files = ['src', 'test', 'scripts'].flatMap(sourceFiles).map((path) => ({
    path: relative(packageRoot, path),
    lines: readFileSync(path, 'utf8').split('\n').length - 1,
  }))
  const faults = files.flatMap(faultsOf)
  return { ok: faults.length === 0, output: [...faults, ...lengthTable(files)].join('\n') }
}

/** @param {string} folder */
function sourceFiles(folder) {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** @param {{ path: string, lines: number }} file */
function faultsOf({ path, lines }) {
  const name = basename(path)
  const faults = []
  if (lines > LONGEST_FILE && !mayBeLonger.test(path)) {
    faults.push(
      `${path}: ${lines} lines, at most ${LONGEST_FILE}: give a concept of it its own file`,
    )
  }
  if (forbiddenName.test(name)) faults.push(`${path}: name the file for the one concept in it`)
  if (name.startsWith('index.') && !framework.test(path)) {
    faults.push(`${path}: no index files but those that a framework needs`)
  }
  if (/[A-Z_]/.test(name) && path.startsWith('src/'))
    faults.push(`${path}: file names are kebab-case`)
  return faults
}

/** @param {readonly { path: string, lines: number }[]} files */
function lengthTable(files) {
  /** @type {Map<string, number[]>} */
  const folders = new Map()
  for (const { path, lines } of files) {
    const [top, folder = ''] = path.split('/')
    if (top !== 'src') continue
    const name = dirname(path) === 'src' ? 'src' : `src/${folder}`
    folders.set(name, [...(folders.get(name) ?? []), lines])
  }
  const rows = [...folders]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, lengths]) => {
      const sorted = lengths.sort((a, b) => a - b)
      return [name, sorted.length, quantile(sorted, 0.5), quantile(sorted, 0.9), sorted.at(-1) ?? 0]
    })
  return [['folder', 'files', 'median', 'p90', 'longest'], ...rows].map(
    ([name, ...numbers]) =>
      `  ${String(name).padEnd(16)}${numbers.map((number) => String(number).padStart(9)).join('')}`,
  )
}

/**
 * @param {readonly number[]} sorted
 * @param {number} share 0…1
 */
function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
