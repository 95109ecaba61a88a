import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { refuseOtherFiles } from '../../../src/client/export/earlier-export.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: string): string {
  const path = join(folder, `${Math.random()}.csv`)
  writeFileSync(path, content)
  return path
}

describe('an export into a file that is there already', () => {
  it('replaces an earlier export, and fills an empty file', async () => {
    await expect(
      refuseOtherFiles(file('id,match_qid\n1,Q1\n'), 'match_qid'),
    ).resolves.toBeUndefined()
    await expect(refuseOtherFiles(file(''), 'match_qid')).resolves.toBeUndefined()
    await expect(refuseOtherFiles(join(folder, 'new.csv'), 'match_qid')).resolves.toBeUndefined()
  })
  it('never replaces the file somebody imported', async () => {
    await expect(refuseOtherFiles(file('id,name\n1,Lidl\n'), 'match_qid')).rejects.toMatchObject({
      code: 'would_overwrite',
    })
  })
  it('names what the file is, another name, and the format to decide in', async () => {
    const plain = file('id,match_qid,match_label,match_status\n1,Q1,x,matched\n')
    await expect(refuseOtherFiles(plain, 'match_key')).rejects.toMatchObject({
      code: 'would_overwrite',
      message: expect.stringContaining('a plain export'),
      hint: expect.stringMatching(/-2\.csv.*--force.*--format review-csv/),
    })
  })
})
