import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  dryRunReport,
  type DryRunReport,
} from '../../../src/client/match/dry-run/dry-run-report.ts'
import { dryRunText } from '../../../src/client/match/dry-run/dry-run-text.ts'
import { defaultRunOptions } from '../../../src/core/run.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { type FakeEntity, fakeWikidata } from '../../support/fake-wikidata.ts'
import { reviseSettings, type TestProject } from '../../support/match-project-rows.ts'
import { human, person, personRow as row, unitedKingdom } from '../../support/wikidata-people.ts'
import { startWikidataServer, type WikidataServer } from '../../support/wikidata-server.ts'

const TOKEN = 'canary-token-9876543210'

let server: WikidataServer
beforeAll(async () => {
  server = await startWikidataServer({ wikidataToken: TOKEN })
})
afterAll(() => server.close())
beforeEach(() => void server.asked())

const world = (...items: readonly FakeEntity[]): void =>
  server.service.respond(fakeWikidata([human, unitedKingdom, ...items]))

describe('start-match --dry-run of a project that asks Wikidata', () => {
  async function look({ id }: TestProject): Promise<DryRunReport> {
    const project = await findProject(server.bench.db, id)
    if (project === undefined) throw new Error('expected the project')
    return dryRunReport(server.bench.db, {
      project,
      options: defaultRunOptions,
      refreshBefore: null,
      url: server.service.url,
      wikidataToken: TOKEN,
      limitsFile: { path: '', entries: [], problems: [] },
      identity: { contact: undefined, version: '0.0.0-test' },
    })
  }

  it('counts requests by what they ask, and shows the first one exactly as it is sent, but the token', async () => {
    world(person('Q4101', 'Dora Dry', '1901-01-01'))
    const project = await server.project([
      row('r0', 'Dora Dry', { born: '1901-01-01', variants: 'D. Dry' }),
      row('r1', 'Ines Identified', { viaf: 'https://viaf.org/viaf/41010/' }),
      row('r2', 'Q4101'),
    ])
    const report = await look(project)
    expect(report).toMatchObject({
      questions: { records: 3, toAsk: 3, itemsToFetch: { least: 1, most: 1 } },
      batchSize: { questions: 1, isAssumed: false },
      requests: {
        // The check, the searches for r0 and the identifier, the item of r2.
        least: 4,
        byKind: [
          { kind: 'check', least: 1, most: 1 },
          { kind: 'label', least: 1, most: 3 },
          { kind: 'words', least: 0, most: 3 },
          { kind: 'identifier', least: 1, most: 1 },
          { kind: 'items', least: 1 },
        ],
      },
    })
    expect(report.services[0]).toMatchObject({
      host: new URL(server.service.url).host,
      sent: [
        { columns: ['name'], as: 'query', examples: ['Dora Dry', 'Ines Identified', 'Q4101'] },
        {
          columns: ['variants'],
          as: 'query',
          onlyIfUndecided: true,
          examples: ['D. Dry'],
        },
        {
          columns: ['viaf'],
          as: 'property P214',
          examples: ['haswbstatement:"P214=41010"'],
        },
      ],
      kept: [
        { column: 'id', use: 'keep' },
        { column: 'born', use: 'compare' },
        { column: 'country', use: 'compare' },
      ],
    })
    expect(server.asked()).toEqual([])

    const shown = report.services[0]?.firstRequest
    expect(JSON.stringify(report)).not.toContain(TOKEN)
    const text = dryRunText(report)
    expect(text).not.toContain(TOKEN)
    expect(text).toContain('authorization: (hidden)')
    expect(text).toContain('The access token is RECORD_LINKER_WIKIDATA_TOKEN')
    expect(text).toContain('for labels that begin so')
    const before = server.service.requests.length
    await server.run(project)
    const [, first] = server.service.requests.slice(before)
    expect(shown?.method).toBe(first?.method)
    expect(shown?.url).toBe(new URL(first?.path ?? '', server.service.url).href)
    expect(shown?.headers).toEqual({ ...first?.headers, authorization: '(hidden)' })
  })

  it('of items that are given it shows the fetch of the first of them, exactly as it is sent', async () => {
    world(person('Q4121', 'Vera Verified', '1901-01-01'), person('Q4122', 'Vic', '1902-02-02'))
    const records = [
      { ...row('r0', 'Vera Verified'), earlier: 'Q4122' },
      { ...row('r1', 'Vic'), earlier: 'http://www.wikidata.org/entity/Q4121' },
    ]
    const mapping = { name: 'name', variants: [], properties: [] }
    const project = await server.project(records, {
      mapping: { ...mapping, earlier: { column: 'earlier', use: 'verify' } },
    })
    const report = await look(project)
    expect(report.requests.byKind).toMatchObject([
      { kind: 'check', least: 1 },
      { kind: 'label', least: 0, most: 2 },
      { kind: 'words', least: 0, most: 2 },
      { kind: 'items', least: 1 },
    ])
    expect(report.services[0]?.sent).toContainEqual({
      columns: ['earlier'],
      as: 'query',
      onlyIfUndecided: false,
      examples: ['Q4122', 'Q4121'],
    })
    const shown = report.services[0]?.firstRequest
    const before = server.service.requests.length
    await server.run(project)
    const [, first] = server.service.requests.slice(before)
    expect(shown?.url).toBe(new URL(first?.path ?? '', server.service.url).href)
    expect(shown?.url).toContain('ids=Q4121%7CQ4122')
  })

  it('foresees that a new property fetches items, and that nothing else is asked', async () => {
    world(person('Q4111', 'Nina New', '1901-01-01'))
    const project = await server.project([row('r0', 'Nina New', { born: '1901-01-01' })])
    await server.run(project)
    await reviseSettings(server.bench.db, project, {
      thresholds: { match: 81, review: 35, lead: 10 },
    })
    expect((await look(project)).requests).toEqual({
      least: 0,
      most: expect.any(Number) as number,
      byKind: expect.any(Array) as [],
    })
    const { mapping } = project.settings
    const floruit = { pid: 'P1317', columns: ['born'], kind: 'date', use: 'compare' } as const
    await reviseSettings(server.bench.db, project, {
      mapping: { ...mapping, properties: [...mapping.properties, floruit] },
    })
    const report = await look(project)
    expect(report.questions.itemsToFetch).toEqual({ least: 1, most: 1 })
    expect(report.requests.byKind).toContainEqual({
      kind: 'items',
      least: 1,
      most: expect.any(Number) as number,
    })
  })
})
