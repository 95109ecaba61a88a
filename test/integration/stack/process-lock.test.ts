import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  isRunning,
  markProcess,
  processIdentity,
} from '../../../src/client/stack/process-identity.mjs'
import { lockOwner, takeProcessLock } from '../../../src/client/stack/process-lock.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a process mark', () => {
  it('fits the living process and no other', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
    const mark = markProcess(child.pid ?? 0)
    expect(isRunning(mark)).toBe(true)
    expect(isRunning({ ...mark, identity: 'of an earlier process with this number' })).toBe(false)
    child.stdin.end()
    await once(child, 'exit')
    expect(isRunning(mark)).toBe(false)
    expect(processIdentity(mark.pid)).toBeUndefined()
  })
})

describe('the process lock', () => {
  it('is held by one, and free again after its release', () => {
    const path = join(folder, 'new folder', 'lock')
    const first = take(path)
    expect(takeProcessLock(path)).toMatchObject({ owner: { pid: process.pid } })
    expect(lockOwner(path)).toMatchObject({ pid: process.pid })
    first.release()
    expect(lockOwner(path)).toBeUndefined()
    take(path).release()
    expect(existsSync(path)).toBe(false)
  })

  it('is taken over from a process that is gone', () => {
    const path = join(folder, 'lock')
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    writeFileSync(path, JSON.stringify({ pid, identity: 'gone', path, nonce: 'n' }))
    expect(lockOwner(path)).toBeUndefined()
    take(path).release()
  })

  it('is not held by the copy of its file in a copied folder', () => {
    const path = join(folder, 'lock')
    const copy = join(folder, 'copy')
    const held = take(path)
    copyFileSync(path, copy)
    take(copy).release()
    expect(lockOwner(path)).toMatchObject({ pid: process.pid })
    held.release()
  })

  it('leaves the lock of the next owner alone when an earlier one releases late', () => {
    const path = join(folder, 'lock')
    const early = take(path)
    rmSync(path)
    take(path)
    early.release()
    expect(lockOwner(path)).toBeDefined()
  })

  it('goes to exactly one of many processes that find it stale at the same moment', async () => {
    const path = join(folder, 'lock')
    const script = `
      import { takeProcessLock } from ${JSON.stringify(new URL('../../../src/client/stack/process-lock.mjs', import.meta.url).href)}
      process.stdin.once('data', () => {
        const taken = takeProcessLock(${JSON.stringify(path)})
        process.stdout.write('held' in taken ? 'held' : 'busy')
      })
      process.stdin.once('end', () => process.exit())
      process.stdout.write('ready ')`
    writeFileSync(path, JSON.stringify({ pid: 1, identity: 'gone', path, nonce: 'n' }))
    const contenders = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script]),
    )
    await Promise.all(contenders.map((child) => once(child.stdout, 'data')))
    const answers = contenders.map(async (child) => String((await once(child.stdout, 'data'))[0]))
    for (const child of contenders) child.stdin.write('go')
    const outcomes = await Promise.all(answers)
    expect(outcomes.toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'busy', 'held'])
    expect(JSON.parse(readFileSync(path, 'utf8')).path).toBe(path)
    for (const child of contenders) child.stdin.end()
    await Promise.all(contenders.map((child) => once(child, 'exit')))
  })
})

function take(path: string): { release: () => void } {
  const taken = takeProcessLock(path)
  if ('owner' in taken) throw new Error(`held by ${taken.owner.pid}`)
  return taken.held
}
