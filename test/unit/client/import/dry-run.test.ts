import { describe, expect, it } from 'vitest'
import { nextLine } from '../../../../src/client/import/next-command.ts'
import { previewImport, previewText } from '../../../../src/client/import/preview-import.ts'
import { applyMapping } from '../../../../src/client/mapping/apply-mapping.ts'
import { checkMappedColumns } from '../../../../src/client/mapping/check-columns.ts'
import { textSource } from '../../../../src/tabular/byte-source.ts'
import { openTable } from '../../../../src/tabular/open-table.ts'

const ARTISTS = `id,name,aliases,born,lon,lat,notes
1,Rembrandt,R. van Rijn|Rembrandt van Rijn,1606,4.5,52.1,
2,Vermeer,,1632,4.3,52.0,Delft
`
const flags = { output: 'text' } as const

async function preview(text: string, id: readonly string[] = []) {
  return previewImport(
    'artists.csv',
    await openTable(textSource('artists.csv', text), {}),
    id,
    null,
  )
}

describe('a dry run of a file nobody has said anything of', () => {
  it('shows each column with what it probably is, and the first cells', async () => {
    const text = previewText(await preview(ARTISTS)).join('\n')
    expect(text).toMatch(/name +the name +named so +Rembrandt \/ Vermeer/)
    expect(text).toMatch(/aliases +further names +split at "\|"/)
    expect(text).toMatch(/born +a property +P569/)
    expect(text).toMatch(/notes +not used/)
  })
  it('ends with the command that goes on, as the columns were proposed', async () => {
    expect(nextLine('my files/artists.csv', flags, await preview(ARTISTS))).toBe(
      "Next, if that is right: ./record-linker import 'my files/artists.csv' --dataset artists --id id --name name --variant 'aliases:|' --property P569=born --property P625=lat,lon --kind person",
    )
  })
  it('keeps what was said, ids, target and how the file is written', async () => {
    const said = { ...flags, dataset: 'painters', id: ['born'], delimiter: ';', quote: null }
    expect(nextLine('a.csv', said, await preview(ARTISTS, ['born']))).toMatch(
      /import a\.csv --dataset painters --delimiter ';' --quote none --id born --name name/,
    )
  })
  it('asks for the name where no column can be it', async () => {
    expect(nextLine('a.csv', flags, await preview('n1,n2\n1,2\n'))).toMatch(/--name COLUMN$/)
  })
  it('with a mapping says what is missing of the command', async () => {
    const table = await openTable(textSource('a.csv', ARTISTS), {})
    const mapped = await previewImport('a.csv', table, [], applyMapping({ name: 'name' }, null))
    expect(nextLine('a.csv', flags, mapped)).toContain('--dataset a in place of --dry-run')
    expect(previewText(mapped).join('\n')).toContain('names "Rembrandt"')
  })
})

it('a missing id is told together with the other missing columns', () => {
  const mapping = applyMapping({ name: 'name', variants: [{ column: 'aliases' }] }, null)
  expect(() => checkMappedColumns(mapping, ['key', 'label'], 'a.csv', ['id'])).toThrow(
    'a.csv has no column "id" and no column "name" and no column "aliases". Its columns are: "key", "label".',
  )
})
