import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { applyMapping, mappingFileOf } from '../../../src/client/mapping/apply-mapping.ts'
import { checkColumns, checkMappedColumns } from '../../../src/client/mapping/check-columns.ts'
import { checkMapping } from '../../../src/client/mapping/mapping-file.ts'
import { type MappingFlags, mappingChanges } from '../../../src/client/mapping/mapping-flags.ts'
import { serviceName } from '../../../src/client/mapping/service-name.ts'
import { UsageError } from '../../../src/errors.ts'

function errorOf(act: () => unknown): UsageError {
  try {
    act()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('expected a UsageError')
}

describe('flags', () => {
  it('become a mapping', async () => {
    const changes = await mappingChanges({
      name: '{first} {last}',
      variant: ['alias:|', 'dc:title', 'old:;'],
      property: ['P569=born', 'P625=lat,lon', 'P17=country:|', 'category=cat'],
      type: ['Q5', 'Q215627'],
      language: 'nl, en',
      threshold: ['match=85'],
    })
    const { mapping, ...rest } = applyMapping(changes ?? {}, null)
    expect(mapping).toEqual({
      name: '{first} {last}',
      variants: [
        { column: 'alias', separator: '|' },
        { column: 'dc:title' },
        { column: 'old', separator: ';' },
      ],
      properties: [
        { pid: 'P569', columns: ['born'], kind: 'date', use: 'send' },
        { pid: 'P625', columns: ['lat', 'lon'], kind: 'coordinate', use: 'send' },
        { pid: 'P17', columns: ['country'], kind: 'item', use: 'send', split: '|' },
        { pid: 'category', columns: ['cat'], kind: 'text', use: 'send' },
      ],
    })
    expect(rest).toEqual({
      kind: 'generic',
      languages: ['nl', 'en'],
      types: ['Q5', 'Q215627'],
      limit: 10,
      thresholds: { match: 85, review: 35, lead: 10 },
    })
  })

  it('name the column of earlier matches: taken as judged, or to be verified', async () => {
    const of = async (flags: MappingFlags) =>
      applyMapping((await mappingChanges({ name: 'n', ...flags })) ?? {}, null).mapping.earlier
    expect(await of({ matchColumn: 'qid' })).toEqual({ column: 'qid', use: 'judge' })
    expect(await of({ matchColumn: 'qid', verify: true })).toEqual({ column: 'qid', use: 'verify' })
    expect(await of({})).toBeUndefined()
    await expect(of({ verify: true })).rejects.toThrow('expected --match-column')
  })

  it('take the columns of known identifiers as such', async () => {
    const changes = await mappingChanges({ name: 'n', property: ['P356=doi', 'P434=mb', 'P1=x'] })
    const { properties } = applyMapping(changes ?? {}, null).mapping
    expect(properties.map(({ kind }) => kind)).toEqual(['id', 'id', 'text'])
  })

  it('win over the mapping file, and leave alone what they do not mention', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'record-linker-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'mapping.json')
    const before = applyMapping({ name: 'a', kind: 'person', candidates: 5 }, null)
    await writeFile(path, JSON.stringify(mappingFileOf(before)))
    const changes = await mappingChanges({ mapping: path, name: 'b' })
    expect(applyMapping(changes ?? {}, null)).toEqual({
      ...before,
      mapping: { ...before.mapping, name: 'b' },
    })
    expect(await mappingChanges({})).toBeUndefined()
  })

  it.each([{ property: ['P569'] }, { threshold: ['match=high'] }, { candidates: '0' }])(
    '%j is refused',
    async (flags) => {
      await expect(mappingChanges(flags)).rejects.toBeInstanceOf(UsageError)
    },
  )
})

describe('a mapping file', () => {
  it('is refused with all its faults at once', () => {
    const { message } = errorOf(() =>
      checkMapping(
        {
          name: '',
          properties: [
            { pid: 'P1', columns: ['a', 'b', 'c'] },
            { pid: 'P2', columns: 'a', kind: 'dat', use: 'post' },
            { pid: 'P3', columns: 'a', dateFormat: 'dmy' },
          ],
          langages: ['nl'],
          candidates: 51,
        },
        'mapping.json',
      ),
    )
    for (const place of [
      'name:',
      'properties.0.columns:',
      'properties.1.kind:',
      'properties.1.use:',
      'properties.2.dateFormat:',
      'langages',
      'candidates:',
    ]) {
      expect(message).toContain(place)
    }
  })

  it('comes back from what it was made into', () => {
    const mapping = applyMapping(
      checkMapping(
        {
          name: 'n',
          variants: ['v', { column: 'w', separator: ';' }],
          properties: [
            { pid: 'P569', columns: 'born', use: 'compare', dateFormat: 'dmy', kind: 'date' },
          ],
          typeColumn: 't',
        },
        'x',
      ),
      null,
    )
    expect(applyMapping(checkMapping(mappingFileOf(mapping), 'x'), null)).toEqual(mapping)
  })

  it('needs a name column in the end, and thresholds in order', () => {
    expect(errorOf(() => applyMapping({ kind: 'work' }, null)).code).toBe('no_name_column')
    expect(errorOf(() => applyMapping({ name: 'a', thresholds: { match: 20 } }, null)).code).toBe(
      'bad_mapping',
    )
  })
})

describe('columns', () => {
  const real = ['id', 'name', 'Country of origin']

  it('case 3: a missing column is refused with those that are there, and the nearest one', () => {
    const error = errorOf(() => checkColumns(['nmae', 'id', 'zzz'], real, 'brands.csv'))
    expect(error.code).toBe('unknown_column')
    expect(error.message).toBe(
      'brands.csv has no column "nmae" (is it "name"?) and no column "zzz". Its columns are: "id", "name", "Country of origin".',
    )
  })

  it('case 3: with a single column, another delimiter is proposed', () => {
    const error = errorOf(() => checkColumns(['name'], ['id\tname'], 'brands.csv'))
    expect(error.hint).toContain('--delimiter')
  })

  it('case 3: every column of a mapping is looked at', () => {
    const mapping = applyMapping(
      {
        name: '{first} {name}',
        variants: [{ column: 'other' }],
        properties: [{ pid: 'P17', columns: ['country of origin'] }],
      },
      null,
    )
    const { message } = errorOf(() => checkMappedColumns(mapping, real, 'a.csv'))
    expect(message).toContain(
      'no column "first" and no column "other" and no column "country of origin" (is it "Country of origin"?)',
    )
  })
})

describe('a service', () => {
  it.each(['sample', 'http://127.0.0.1:8001', 'https://example.org/reconcile?lang=en'])(
    '%s is taken as it stands',
    (service) => expect(serviceName(` ${service} `)).toBe(service),
  )

  it.each(['', 'smaple', 'example.org', 'ftp://example.org', 'https://me:secret@example.org'])(
    '"%s" is refused',
    (service) => expect(errorOf(() => serviceName(service)).code).toBe('bad_service'),
  )
})
