/** A match bench whose `wikidata` is a fake one on loopback, and what that one was asked. */
import type { RunOptions } from '../../src/core/run.ts'
import type { ProjectSettings } from '../../src/core/project-settings.ts'
import type { FakeRequest, FakeService } from './fake-reconciliation-service.ts'
import { type FakeEntity, fakeWikidata } from './fake-wikidata.ts'
import type { MatchBenchOptions } from './match-bench.ts'
import { createTestProject, type TestProject, type TestRecord } from './match-project-rows.ts'
import { type MatchServer, startMatchServer } from './match-server.ts'
import { human, unitedKingdom } from './wikidata-people.ts'

export interface WikidataServer extends MatchServer {
  /** A project of people with born, viaf and country columns. */
  project(records: readonly TestRecord[], changes?: Partial<ProjectSettings>): Promise<TestProject>
  /** Runs a project to its end. */
  run(project: TestProject, settingsRevision?: number, options?: Partial<RunOptions>): Promise<void>
  /** What there is in this Wikidata: these items, humans and the United Kingdom. */
  world(items: readonly FakeEntity[], options?: Parameters<typeof fakeWikidata>[1]): void
  /** What was asked since the last call, without checks: `label en Ada`, `text Ada`, `items Q1|Q2`. */
  asked(): readonly string[]
  /** `r1 matched Q42`, in file order. */
  results(project: TestProject): Promise<readonly string[]>
}

export async function startWikidataServer(
  changes: Partial<MatchBenchOptions> = {},
): Promise<WikidataServer> {
  const server = await startMatchServer(changes)
  const { bench, service } = server
  let told = 0
  return {
    ...server,
    project: (records, settings = {}) =>
      createTestProject(bench.db, 'wikidata', records, {
        kind: 'person',
        mapping: peopleMapping,
        ...settings,
      }),
    world: (items, options) =>
      service.respond(fakeWikidata([human, unitedKingdom, ...items], options)),
    async run({ id }, settingsRevision = 1, options = {}) {
      await (await bench.start(id, { settingsRevision, options })).result()
    },
    asked() {
      const fresh = askedOf(service).slice(told)
      told += fresh.length
      return fresh
    },
    async results({ id }) {
      const rows = await bench.db
        .selectFrom('result')
        .where('project_id', '=', id)
        .select(['external_id', 'match_status', 'match_qid', 'error_code'])
        .orderBy('position')
        .execute()
      return rows.map((row) =>
        [row.external_id, row.match_status, row.match_qid ?? row.error_code ?? ''].join(' ').trim(),
      )
    },
  }
}

export const peopleMapping: ProjectSettings['mapping'] = {
  name: 'name',
  variants: [{ column: 'variants', separator: '|' }],
  properties: [
    { pid: 'P214', columns: ['viaf'], kind: 'id', use: 'send' },
    { pid: 'P569', columns: ['born'], kind: 'date', use: 'compare' },
    { pid: 'P27', columns: ['country'], kind: 'item', use: 'compare' },
  ],
}

export function actionParams({ method, path, body }: FakeRequest): URLSearchParams {
  return new URLSearchParams(method === 'POST' ? body : path.slice(path.indexOf('?') + 1))
}

function askedOf({ requests }: FakeService): readonly string[] {
  return requests.map(actionParams).flatMap((params) => {
    const value = (name: string) => params.get(name) ?? ''
    switch (value('action')) {
      case 'wbsearchentities':
        return [`label ${value('language')} ${value('search')}`]
      case 'wbgetentities':
        return [`items ${value('ids')}`]
      default:
        return value('list') === 'search' ? [`text ${value('srsearch')}`] : []
    }
  })
}
