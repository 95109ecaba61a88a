import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'
import { programCache } from '../../../src/client/stack/program-cache.ts'
import { workflowBundlePath } from '../../../src/workers/workflow-bundle.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('what is made of the program', () => {
  it('is kept beside it, for all homes', () => {
    const places = ['one', 'another'].map((home) => programCache(join(folder, home)))
    expect(new Set(places).size).toBe(1)
    expect(places[0]?.startsWith(join(packageRoot, 'node_modules'))).toBe(true)
  })

  it('is kept in the home where no folder can be made beside it', () => {
    writeFileSync(join(folder, 'file'), 'not a folder')
    expect(programCache('home', join(folder, 'file/cache'))).toBe('home')
  })
})

describe('the bundled workflows', () => {
  it('are made once for one state of their sources', async () => {
    const name = basename(inject('workflowBundlePath'))
    // Written by nobody else: had it been made again, this would not be in it.
    writeFileSync(join(folder, name), 'as it was')
    expect(await workflowBundlePath(folder)).toBe(join(folder, name))
    expect(readdirSync(folder)).toEqual([name])
  })

  it('of older states are forgotten, but for the twenty that were used last', async () => {
    for (let age = 1; age <= 25; age += 1) {
      const path = join(folder, `workflows-old-${age}.js`)
      writeFileSync(path, 'old')
      const usedAt = new Date(Date.now() - age * 60_000)
      utimesSync(path, usedAt, usedAt)
    }
    const name = basename(inject('workflowBundlePath'))
    writeFileSync(join(folder, name), 'of now')
    await workflowBundlePath(folder)
    const kept = Array.from({ length: 19 }, (_, index) => `workflows-old-${index + 1}.js`)
    expect(readdirSync(folder).toSorted()).toEqual([name, ...kept].toSorted())
  })
})
