import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { madeRecords } from '../../../../bench/million/made-records.ts'

/** The sample is chosen from some 20,000 brands. */
const READING_MS = 60_000

test(
  'of ten records four have a name of their own, and the others one of theirs',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'record-linker-made-'))
    try {
      const path = join(folder, 'records.csv')
      const made = await madeRecords(5_000)
      await made.write(path)
      const rows = parse<{ id: string; name: string }>(readFileSync(path, 'utf8'), {
        columns: true,
      })
      expect(new Set(rows.map(({ id }) => id)).size).toBe(5_000)
      expect(new Set(rows.map(({ name }) => name)).size).toBe(made.questions)
      expect(made.questions).toBe(2_000)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  READING_MS,
)
