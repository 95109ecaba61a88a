import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLogFile } from '../../../src/client/stack/log-file.ts'

const LONGEST_BYTES = 10 * 1024 * 1024

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a log is read by its owner only, and goes on where it ended', () => {
  const path = join(folder, 'logs', 'worker.log')
  openLogFile(path).close()
  expect(statSync(path).mode & 0o077).toBe(0)
  writeFileSync(path, 'before\n')
  const log = openLogFile(path)
  expect(log.tail()).toBe('')
  log.close()
  expect(readFileSync(path, 'utf8')).toBe('before\n')
})

it('one above 10 MB is put aside at the next start, in place of the one before', () => {
  const path = join(folder, 'worker.log')
  const aside = `${path}.1`
  writeFileSync(aside, 'older')
  writeFileSync(path, 'old')
  truncateSync(path, LONGEST_BYTES)
  openLogFile(path).close()
  expect(readFileSync(aside, 'utf8')).toBe('older')
  truncateSync(path, LONGEST_BYTES + 1)
  openLogFile(path).close()
  expect(statSync(aside).size).toBe(LONGEST_BYTES + 1)
  expect(statSync(path).size).toBe(0)
})
