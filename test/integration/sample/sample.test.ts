import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  nsiVersion,
  readNsiBrands,
  readNsiItems,
  type NsiBrand,
} from '../../../src/client/sample/nsi-package.ts'
import { sampleCsv, sampleMapping } from '../../../src/client/sample/sample-csv.ts'
import { sampleKnowledgeBasePath } from '../../../src/client/sample/sample-knowledge-base.ts'
import { chooseSample, type SampleRecord } from '../../../src/client/sample/sample-records.ts'
import { mapRecord, type Cells } from '../../../src/core/matching/mapped-record.ts'
import { nameForms } from '../../../src/core/names/normalize-name.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

let folder: string
let records: readonly SampleRecord[]
let brands: readonly NsiBrand[]
let csv: string
let path: string
let rows: readonly {
  readonly qid: string
  readonly label: string
  readonly aliases: unknown
  readonly types: unknown
}[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sample-'))
  brands = await readNsiBrands()
  records = chooseSample(brands, await readNsiItems())
  csv = sampleCsv(records)
  path = await sampleKnowledgeBasePath(folder)
  const text = await readFile(path, 'utf8')
  rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as (typeof rows)[number])
}, 60_000)

afterAll(() => rm(folder, { recursive: true }))

describe('records', () => {
  it('are the same for this version of the package', async () => {
    expect(await nsiVersion()).toBe('8.0.20260918')
    expect(sha256(records.map(({ id }) => id).join('\n'))).toBe(
      'c3e5cd3129c682f2b7811b43d34c9e80f1dc06f16104de9e26c0c18c57028ac3',
    )
    expect(sha256(csv)).toBe('7d50a343f343a9912b979e76b0669273f6652e51137e9ff679db50df2c4d1c16')
  })

  it('are 500 different ones of 500 items', () => {
    expect(records).toHaveLength(500)
    expect(new Set(records.map(({ id }) => id)).size).toBe(500)
    expect(new Set(records.map(({ expectedQid }) => expectedQid)).size).toBe(500)
  })

  it('have at most a tenth of homonyms among all brands', () => {
    const qids = new Map<string, Set<string>>()
    for (const { id, tags } of brands) {
      const name = nameForms(tags['name'] ?? tags['brand'] ?? id).c
      qids.set(name, (qids.get(name) ?? new Set()).add(tags['brand:wikidata'] ?? ''))
    }
    const homonyms = records.filter(({ name }) => {
      const others = new Set(qids.get(nameForms(name).c))
      others.delete('')
      return others.size > 1
    })
    expect(homonyms).toHaveLength(22)
  })

  it('have clean countries and variants that differ from the name', () => {
    for (const { name, variants, countries, category } of records) {
      expect(countries.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true)
      expect(category).toMatch(/^[a-z_]+\/[a-z_-]+$/)
      const forms = [name, ...variants].map((text) => nameForms(text).a)
      expect(new Set(forms).size).toBe(forms.length)
    }
  })
})

describe('CSV', () => {
  it('is read back by the mapping, with nothing of the answers in it', async () => {
    expect(csv.split('\n')[0]).toBe('id,name,variants,country,category')
    expect(csv).not.toMatch(/\bQ\d{3,}\b/)
    const cells: readonly Cells[] = parse(csv, { columns: true })
    const settings = {
      service: 'sample',
      kind: 'organisation',
      languages: ['en'],
      types: [],
      mapping: sampleMapping,
      limit: 10,
      thresholds: { match: 80, review: 35, lead: 10 },
    } as const
    const mapped = cells.map((row) => mapRecord(row, settings))
    expect(mapped.map(({ names }) => names)).toEqual(
      records.map(({ name, variants }) => [name, ...variants]),
    )
    expect(
      mapped.map(({ properties }) => properties.find(({ pid }) => pid === 'P17')?.values ?? []),
    ).toEqual(records.map(({ countries }) => countries))
  })
})

describe('knowledge base', () => {
  it('has every labelled item but one in twenty of the sampled ones', () => {
    const qids = new Set(rows.map(({ qid }) => qid))
    expect(rows).toHaveLength(27_516)
    expect(records.filter(({ inKb }) => !inKb)).toHaveLength(25)
    for (const { expectedQid, inKb } of records) expect(qids.has(expectedQid)).toBe(inKb)
  })

  it('says nothing that comes from the records', () => {
    expect(rows.every(({ aliases, types }) => String([aliases, types]) === ',')).toBe(true)
  })

  it('is built once, whole or not at all', async () => {
    const before = await stat(path)
    expect(await sampleKnowledgeBasePath(folder)).toBe(path)
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)
    expect(await readdir(folder)).toHaveLength(1)
  })
})
