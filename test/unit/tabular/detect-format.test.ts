import { gzipSync } from 'node:zlib'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileSource } from '../../../src/tabular/byte-source.ts'
import { encodeEscaped } from '../../../src/tabular/escaped-bytes.ts'
import { openTable } from '../../../src/tabular/open-table.ts'
import { readTable } from './read-table.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

describe('encoding', () => {
  it('case 2: a byte order mark is no part of the first column', async () => {
    for (const marks of ['\ufeff', '\ufeff\ufeff']) {
      const { table, cells } = await readTable(`${marks}"name";"x"\n"Ä";"1"\n`)
      expect(table.columns).toEqual(['name', 'x'])
      expect(table.format).toMatchObject({ delimiter: ';', encoding: 'utf-8' })
      expect(cells).toEqual([{ name: 'Ä', x: '1' }])
    }
  })

  it('UTF-16 is found with and without a mark, in both byte orders, in pieces of one byte', async () => {
    const text = 'name\tx\nDvořák 😀\t1\n'
    for (const marked of [`\ufeff${text}`, text]) {
      const little = Buffer.from(marked, 'utf16le')
      const big = Buffer.from(little).swap16()
      for (const [bytes, encoding] of [
        [little, 'utf-16le'],
        [big, 'utf-16be'],
      ] as const) {
        const { table, cells } = await readTable(bytes, { pieceBytes: 1 })
        expect(table.format.encoding).toBe(encoding)
        expect(cells).toEqual([{ name: 'Dvořák 😀', x: '1' }])
      }
    }
  })

  it('text that is not UTF-8 is Windows-1252, be the first accent in the last line', async () => {
    const plain = 'name,x\n'.concat('Smith,1\n'.repeat(50_000))
    const { table, cells } = await readTable(Buffer.concat([latin(plain), latin('Caf\xe9,\x80\n')]))
    expect(table.format.encoding).toBe('windows-1252')
    expect(cells.at(-1)).toEqual({ name: 'Café', x: '€' })
  })

  it('a damaged character in UTF-8 text costs its line, and the line keeps its bytes', async () => {
    const bytes = Buffer.concat([
      Buffer.from('name,x\nŁódź,1\n'),
      latin('Caf\xe9,2\n'),
      Buffer.from('Tromsø,3\n'),
    ])
    const { table, cells, rejected } = await readTable(bytes, { pieceBytes: 5 })
    expect(table.format.encoding).toBe('utf-8')
    expect(cells.map((cell) => cell['name'])).toEqual(['Łódź', 'Tromsø'])
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'is not valid UTF-8: byte 0xE9'],
    ])
    expect(encodeEscaped(rejected[0]?.raw ?? '')).toEqual(latin('Caf\xe9,2'))
  })

  it('case 6: half a character in UTF-16 costs its line', async () => {
    const { cells, rejected } = await readTable(
      Buffer.from('\ufeffname\nA\nB\ud800b\nC\n', 'utf16le'),
    )
    expect(cells.map((cell) => cell['name'])).toEqual(['A', 'C'])
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'contains half a character (lone surrogate U+D800)',
    ])
  })

  it('what the user says wins', async () => {
    const shiftJis = Buffer.from([0x6e, 0x0a, 0x93, 0x8c, 0x8b, 0x9e, 0x0a])
    expect((await readTable(shiftJis, { encoding: 'shift_jis' })).cells).toEqual([{ n: '東京' }])
    await expect(readTable('a\n', { encoding: 'klingon' })).rejects.toMatchObject({
      code: 'unknown_encoding',
    })
  })
})

describe('delimiter', () => {
  it.each([',', '\t', ';', '|'])('%j is found', async (delimiter) => {
    const { table } = await readTable(
      ['id', 'name', 'price'].join(delimiter) + '\n' + ['1', 'A', 'x'].join(delimiter) + '\n',
    )
    expect(table.format).toMatchObject({ delimiter })
  })

  it('is not the comma of a price or of a name', async () => {
    const prices = await readTable('name;price\nA;1,50\nB;2,75\n')
    expect(prices.table.columns).toEqual(['name', 'price'])
    const names = await readTable('name\nSmith, John\nDoe, Jane\n')
    expect(names.cells).toEqual([{ name: 'Smith, John' }, { name: 'Doe, Jane' }])
  })

  it('is not lost over some ragged lines', async () => {
    const { table, rejected } = await readTable('a,b\n1,2\n1\n1,2\n1,2\n')
    expect(table.columns).toEqual(['a', 'b'])
    expect(rejected).toHaveLength(1)
  })

  it('line endings of old and mixed files are understood', async () => {
    const old = await readTable('a,b\r1,2\r3,4')
    expect(old.cells).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ])
    const mixed = await readTable('a,b\r\n1,2\n3,"4"\r\n')
    expect(mixed.cells).toEqual(old.cells)
    expect(mixed.table.format.lineEnding).toBe('\r\n')
  })
})

it('a gzipped file is unpacked on the way, and a cut one is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'record-linker-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const packed = gzipSync(`name\n${'A\n'.repeat(10_000)}`)
  await writeFile(join(folder, 'whole.csv.gz'), packed)
  await writeFile(join(folder, 'cut.csv.gz'), packed.subarray(0, -9))
  const whole = await openTable(await fileSource(join(folder, 'whole.csv.gz')))
  let records = 0
  for await (const batch of whole.batches()) records += batch.records.length
  expect(records).toBe(10_000)
  await expect(
    fileSource(join(folder, 'cut.csv.gz')).then((source) => openTable(source)),
  ).rejects.toMatchObject({ code: 'broken_gzip' })
})
