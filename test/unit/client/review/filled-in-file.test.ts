import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { refuseFilledIn } from '../../../../src/client/review/filled-in-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-review-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: string): string {
  const path = join(folder, `${Math.random()}.csv`)
  writeFileSync(path, content)
  return path
}

describe('a new review file', () => {
  it('never replaces one in which somebody has decided something, as any spreadsheet saved it', async () => {
    const filled = file(
      '\ufeffid;decision;match_key\r\n1;;r1-a-b\r\n2;none;r2-a-b\r\n3;1;r3-a-b\r\n',
    )
    await expect(refuseFilledIn(filled, 124)).rejects.toMatchObject({
      code: 'would_overwrite',
      message: expect.stringContaining('2 decisions') as string,
      hint: expect.stringContaining('--project 124') as string,
    })
  })

  it('replaces one without decisions, and one that is not there', async () => {
    const blank = file('id,decision,match_key\n1, ,r1-a-b\n2,,r2-a-b\n')
    await expect(refuseFilledIn(blank, 124)).resolves.toBeUndefined()
    await expect(refuseFilledIn(file(''), 124)).resolves.toBeUndefined()
    await expect(refuseFilledIn(join(folder, 'new.csv'), 124)).resolves.toBeUndefined()
  })
})
