import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'

const run = promisify(execFile)
const MAIN = `
import { twice } from './words/twice.ts'
import { three } from './three.mjs'
export const main = async (text: string): Promise<string> => {
  const { Page } = await import('./page.tsx')
  return [twice(text), three, String(Page({ title: text }))].join(' ')
}`

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'record-linker-compiled-'))
  cpSync(join(packageRoot, 'scripts'), join(root, 'scripts'), { recursive: true })
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'))
  write('package.json', '{"type":"module"}')
  write('src/client/stack/process-lock.mjs', '')
  const keeping = 'src/client/stack/kept-by-use.mjs'
  write(keeping, readFileSync(join(packageRoot, keeping), 'utf8'))
  write('src/main.ts', MAIN)
  write('src/words/twice.ts', 'export const twice = (text: string): string => text + text')
  write('src/three.mjs', 'export const three = 3')
  write('src/page.tsx', 'export const Page = (props: { title: string }) => <b>{props.title}</b>')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

/** As a command does it. @returns the folder */
async function compile(): Promise<string> {
  const module = pathToFileURL(join(root, 'scripts/set-up/compiled.mjs')).href
  const program = `import(${JSON.stringify(module)}).then((it) => it.ensureCompiled()).then(console.log)`
  const { stdout } = await run(process.execPath, ['-e', program])
  return stdout.trim()
}

const states = () => readdirSync(join(root, 'dist'))

describe('the compiled program', () => {
  it('does what its sources say, and is made once for each state of them', async () => {
    const folder = await compile()
    const url = pathToFileURL(join(folder, 'main.js')).href
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      `import { main } from ${JSON.stringify(url)}; console.log(await main('ha'))`,
    ])
    expect(stdout).toBe('haha 3 <b>ha</b>\n')
    expect(await compile()).toBe(folder)
    expect(states()).toEqual([basename(folder)])
  })

  it('has a package of hundreds of files in one, so that it is read at once', async () => {
    write(
      'src/deep/read.ts',
      "import { z } from 'zod'\nexport const read = (text: string): string => z.string().parse(text)",
    )
    const file = join(await compile(), 'deep/read.js')
    expect(readFileSync(file, 'utf8')).toContain('from "../packages/zod.js"')
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      `import { read } from ${JSON.stringify(pathToFileURL(file).href)}; console.log(read('yes'))`,
    ])
    expect(stdout).toBe('yes\n')
  })

  it('is made again beside the old one when a source has changed', async () => {
    const before = await compile()
    write('src/words/twice.ts', 'export const twice = (text: string): string => `2 ${text}`')
    const after = await compile()
    expect(after).not.toBe(before)
    expect(states().toSorted()).toEqual([basename(before), basename(after)].toSorted())
  })

  it('is the same for several commands that start at once', async () => {
    const folders = await Promise.all([compile(), compile(), compile()])
    expect(new Set(folders).size).toBe(1)
    expect(states()).toEqual([basename(folders[0] ?? '')])
  })

  it('leaves nothing behind where a source cannot be read, and names it', async () => {
    write('src/words/twice.ts', 'export const twice = = 2')
    await expect(compile()).rejects.toThrow(/could not be compiled into .*twice\.ts:1/s)
    expect(states()).toEqual([])
  })

  it('that cannot be put anywhere is told, with what to do', async () => {
    write('dist', 'a file, not a folder')
    await expect(compile()).rejects.toThrow(/could not be compiled into .*dist.*hint: 'Check that/s)
  })

  it('keeps the twenty states that were used last', async () => {
    for (let age = 1; age <= 25; age += 1) {
      mkdirSync(join(root, 'dist', `old-${age}`), { recursive: true })
      const usedAt = new Date(Date.now() - age * 60_000)
      utimesSync(join(root, 'dist', `old-${age}`), usedAt, usedAt)
    }
    const folder = await compile()
    const kept = Array.from({ length: 19 }, (_, index) => `old-${index + 1}`)
    expect(states().toSorted()).toEqual([basename(folder), ...kept].toSorted())
  })
})
