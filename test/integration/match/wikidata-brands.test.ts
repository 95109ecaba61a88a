import { afterAll, beforeAll, expect, it } from 'vitest'
import { readNsiItems } from '../../../src/client/sample/nsi-package.ts'
import { sampleCsv } from '../../../src/client/sample/sample-csv.ts'
import { sampleRecords } from '../../../src/client/sample/sample-records.ts'
import { type Cli, createCli } from '../../support/cli.ts'
import { type FakeService, startFakeService } from '../../support/fake-reconciliation-service.ts'
import { entity, fakeWikidata, statement } from '../../support/fake-wikidata.ts'

const RECORDS = 40
/** Beside the items of the records one in so many of the others: the fake goes through all of them for each search. */
const OTHERS = 10

const TOKEN = 'canary-token-0123456789'

let cli: Cli
let wikidata: FakeService

beforeAll(async () => {
  const records = await sampleRecords()
  const absent = new Set(records.filter(({ inKb }) => !inKb).map(({ expectedQid }) => expectedQid))
  const wanted = new Set(records.map(({ expectedQid }) => expectedQid))
  const items = (await readNsiItems()).filter(
    ({ qid }, index) => !absent.has(qid) && (wanted.has(qid) || index % OTHERS === 0),
  )
  const website = entity('P856', { labels: { en: 'official website' } })
  wikidata = await startFakeService(
    fakeWikidata([
      website,
      ...items.map(({ qid, label, description, websites }) =>
        entity(qid, {
          labels: label === undefined ? {} : { en: label },
          descriptions: description === undefined ? {} : { en: description },
          claims: { P856: websites.map((address) => statement('string', address)) },
        }),
      ),
    ]),
  )
  cli = createCli({
    RECORD_LINKER_WIKIDATA_URL: wikidata.url,
    RECORD_LINKER_WIKIDATA_TOKEN: TOKEN,
  })
})
afterAll(async () => {
  await cli.remove()
  await wikidata.close()
})

it('import, match, export: brands of a file find their items, and the second run asks nothing', async () => {
  const records = (await sampleRecords()).slice(0, RECORDS)
  const file = cli.file('brands.csv', sampleCsv(records))
  const evidence = ['--property', 'P17=country:|', '--property', 'category=category']
  const names = ['--id', 'id', '--name', 'name', '--variant', 'variants:|', ...evidence]
  await cli.data('import', file, '--project', '7', '--service', 'wikidata', ...names)
  const report: unknown = JSON.parse(await cli.data('start-match', '--project', '7', '-o', 'json'))
  expect(report).toMatchObject({ status: 'completed', entries: { completed: RECORDS, failed: 0 } })

  const lines = (await cli.data('export', '--project', '7', '-o', 'jsonl')).trimEnd().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
  expect(rows).toHaveLength(RECORDS)
  const truth = new Map(records.map((record) => [record.id, record]))
  const matched = rows.filter((row) => row['match_status'] === 'matched')
  const right = matched.filter((row) => {
    const record = truth.get(row['id'] ?? '')
    return record?.inKb === true && record.expectedQid === row['match_qid']
  })
  expect(matched.length).toBeGreaterThan(RECORDS / 2)
  expect(right.length / matched.length).toBeGreaterThanOrEqual(0.95)
  expect(matched.every((row) => (row['match_label'] ?? '') !== '')).toBe(true)

  const settings = await cli.data('config')
  expect(settings).toContain(wikidata.url)
  expect(settings).not.toContain(TOKEN)

  const asked = wikidata.requests.length
  const again: unknown = JSON.parse(await cli.data('start-match', '--project', '7', '-o', 'json'))
  expect(again).toMatchObject({ status: 'completed' })
  expect(wikidata.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
  expect(wikidata.requests).toHaveLength(asked)
})

it('the other commands ask the same Wikidata, and say nothing of the token', async () => {
  const json = async (...words: readonly string[]): Promise<unknown> => {
    const text = await cli.data(...words, '-o', 'json')
    expect(text).not.toContain(TOKEN)
    return JSON.parse(text)
  }
  const counts = await json('extend', '--project', '7', '--property', 'P856,Len')
  expect(counts).toMatchObject({ missing: 0, failed: 0 })
  expect(await json('recheck', '--project', '7')).toMatchObject({
    merged: 0,
    missing: 0,
    failed: 0,
  })
  expect(await json('suggest', 'property', 'official', '--project', '7')).toMatchObject({
    isFromService: true,
    properties: [{ id: 'P856', name: 'official website' }],
  })
  expect(await json('suggest', 'type', '--project', '7')).toMatchObject({ asked: 10, failed: 0 })
  expect(await json('rescore', '--project', '7', '--dry-run')).toBeDefined()
  const entry = (await sampleRecords())[0]?.id ?? ''
  expect(await json('explain', '--project', '7', '--entry', entry)).toMatchObject({ entry })
  await cli.data('project', 'set', '7', '--language', 'nl,en')
  const plan = await json('start-match', '--project', '7', '--dry-run')
  expect(plan).toMatchObject({
    services: [
      {
        host: new URL(wikidata.url).host,
        firstRequest: { method: 'GET', headers: { authorization: '(hidden)' } },
      },
    ],
  })
})
