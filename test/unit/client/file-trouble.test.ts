import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readDump } from '../../../src/client/dump/read-dump.ts'
import { errorText, exitCodeOf } from '../../../src/client/exit-codes.ts'
import { readProfile } from '../../../src/client/extract/profile-file.ts'
import { readMappingFile } from '../../../src/client/mapping/mapping-file.ts'
import { fileSink } from '../../../src/client/text-sink.ts'
import { notWritable } from '../../../src/file-trouble.ts'
import { readKbFile } from '../../../src/kb/read-kb-file.ts'
import { fileSource } from '../../../src/tabular/byte-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'file.csv')
writeFileSync(file, 'as it was')
mkdirSync(join(folder, 'sub'))

/** The system's own words: a code, a call, a path in quotes. */
const RAW = /E[A-Z]{3,}|, (?:open|read|stat|rename)\b|unexpected/

const bad = [
  ['a folder', join(folder, 'sub'), 'it is a folder'],
  ['a path through a file', join(file, 'x.csv'), 'is a file, not a folder'],
  ['a folder that is not there', join(folder, 'none', 'x.csv'), 'no such file or folder'],
] as const

describe('a file that cannot be written', () => {
  it.each(bad)('is told with a code and a next step: %s', async (_, path, what) => {
    const error: unknown = await fileSink(path).catch((thrown: unknown) => thrown)
    expect(exitCodeOf(error)).toBe(2)
    const text = errorText(error)
    expect(text).toContain('[file_not_writable]')
    expect(text).toContain(what)
    expect(text).not.toMatch(RAW)
    expect(text.split('\n')).toHaveLength(3)
  })
  it('for want of space is a full disk, with its name', () => {
    const error = notWritable('out.csv', Object.assign(new Error('raw'), { code: 'ENOSPC' }))
    expect(exitCodeOf(error)).toBe(4)
    expect(errorText(error)).toMatch(/^error: out\.csv .*\n.*\n {2}\[disk_full\]$/)
  })
  it('tells a full disk also while it is written', async () => {
    const sink = await fileSink('/dev/full')
    await sink.write('x')
    await expect(sink.finish()).rejects.toMatchObject({ code: 'disk_full' })
  })
  it('leaves a device in its place', async () => {
    const sink = await fileSink('/dev/null')
    await sink.write('x')
    await sink.finish()
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
    expect(existsSync('/dev/null.partial')).toBe(false)
  })
  it('is otherwise replaced when it is whole', async () => {
    const path = join(folder, 'whole.csv')
    writeFileSync(path, 'before')
    const sink = await fileSink(path)
    await sink.write('after')
    expect(readFileSync(path, 'utf8')).toBe('before')
    await sink.finish()
    expect(readFileSync(path, 'utf8')).toBe('after')
  })
})

const readers: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['import, evaluate, judgments', fileSource],
  ['--mapping', readMappingFile],
  ['--profile', (path) => readProfile(path, undefined)],
  ['project load', (path) => readDump(path).next()],
  ['serve-kb', (path) => readKbFile(path, () => undefined)],
]

describe.each(readers)('a file that cannot be read by %s', (_, read) => {
  it.each(bad)('is told with a code and a next step: %s', async (__, path, what) => {
    const error: unknown = await read(path).catch((thrown: unknown) => thrown)
    expect(exitCodeOf(error)).toBe(2)
    expect(errorText(error)).toContain(what)
    expect(errorText(error)).not.toMatch(RAW)
  })
})

it('a file that no command looked after is told by its path, not as something unexpected', () => {
  const error = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), {
    code: 'EACCES',
    path: '/x',
  })
  expect(exitCodeOf(error)).toBe(2)
  expect(errorText(error)).toBe(
    'error: /x cannot be used: this user may not.\n  Check that path and its permissions, or give another.\n  [file_not_usable]',
  )
})
