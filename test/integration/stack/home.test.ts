import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeAbandonedData } from '../../../src/client/stack/abandoned-data.ts'
import {
  giveNewId,
  isStillThere,
  makeHomeFolder,
  openHome,
  type Home,
} from '../../../src/client/stack/home.ts'
import { watchHome } from '../../../src/client/stack/home-watch.ts'
import { readOwner, writeOwner } from '../../../src/client/stack/owner-file.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-home-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a home', () => {
  it('is made for its owner only, known by its real path, and keeps its id', () => {
    symlinkSync(folder, join(folder, 'link'))
    const path = makeHomeFolder(join(folder, 'link', 'deep', 'home'))
    expect(path).toBe(join(folder, 'deep', 'home'))
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(openHome(path)).toEqual(openHome(path))
  })

  it('is another one after it was deleted and made anew', () => {
    const first = openNewHome('home')
    rmSync(first.path, { recursive: true })
    expect(isStillThere(first)).toBe(false)
    const second = openNewHome('home')
    expect(second.id).not.toBe(first.id)
    expect(isStillThere(first)).toBe(false)
  })

  it('tells being deleted from being moved', async () => {
    const deleted = openNewHome('deleted')
    const moved = openNewHome('moved')
    const there = openNewHome('there')
    const gone: string[] = []
    const watches = [deleted, moved, there].map((home) =>
      watchHome(home, () => gone.push(home.path)),
    )
    rmSync(deleted.path, { recursive: true })
    renameSync(moved.path, join(folder, 'elsewhere'))
    await expect
      .poll(() => gone.toSorted(), { timeout: 10_000 })
      .toEqual([deleted.path, moved.path])
    expect(watches.map((watch) => watch.stop())).toEqual(['deleted', 'moved', 'there'])
  })
})

describe('data of homes that are gone', () => {
  const said: string[] = []
  const clean = (current: Home, nowMs: number) =>
    removeAbandonedData(join(folder, 'shared'), current, nowMs, (line) => said.push(line))

  it('goes a week after it was first found so, not before', async () => {
    const current = openNewHome('current')
    const gone = openNewHome('gone')
    const data = shareData(gone)
    rmSync(gone.path, { recursive: true })

    await clean(current, 0)
    await clean(current, 6 * DAY_MS)
    expect(existsSync(data)).toBe(true)
    await clean(current, 7 * DAY_MS)
    expect(existsSync(data)).toBe(false)
    expect(said).toEqual([
      `Removed the database of ${gone.path}, a folder that is gone for a week.`,
    ])
  })

  it('stays when the home comes back, and the week counts anew', async () => {
    const current = openNewHome('current')
    const away = openNewHome('away')
    const data = shareData(away)
    renameSync(away.path, join(folder, 'unmounted'))
    await clean(current, 0)
    renameSync(join(folder, 'unmounted'), away.path)
    await clean(current, 30 * DAY_MS)
    expect(readOwner(data)).toEqual({ home: away.path })
  })

  it('is never that of the home that starts, nor of one that lives, nor a folder of programs', async () => {
    const current = openNewHome('current')
    const other = openNewHome('other')
    const kept = [shareData(current), shareData(other), join(folder, 'shared', 'postgresql-18')]
    mkdirSync(kept[2] ?? '')
    rmSync(current.path, { recursive: true })
    await clean(current, 0)
    await clean(current, 30 * DAY_MS)
    expect(kept.map((path) => existsSync(path))).toEqual([true, true, true])
  })

  it('is not shared by a copy once that has an id of its own', () => {
    const home = openNewHome('home')
    const copy = giveNewId(home.path)
    expect(copy.id).not.toBe(home.id)
    expect(openHome(home.path)).toEqual(copy)
  })
})

function openNewHome(name: string): Home {
  return openHome(makeHomeFolder(join(folder, name)))
}

function shareData(home: Home): string {
  const data = join(folder, 'shared', home.id)
  mkdirSync(data, { recursive: true })
  writeOwner(data, { home: home.path })
  return data
}
