/** Whoever reads stored answers of Wikidata's searches sees them with what is known of the items they name. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { evaluateProject } from '../../../src/client/evaluate/evaluate-project.ts'
import { explainEntry } from '../../../src/client/explain/explain-entry.ts'
import { explanationText } from '../../../src/client/explain/explanation-text.ts'
import { previewRescore } from '../../../src/client/match/rescore-preview.ts'
import { readAnsweredEntries } from '../../../src/db/answered-entries.repo.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { findProject, type Project } from '../../../src/db/projects.repo.ts'
import { reviseSettings, type TestProject } from '../../support/match-project-rows.ts'
import { person, personRow as row } from '../../support/wikidata-people.ts'
import {
  peopleMapping,
  startWikidataServer,
  type WikidataServer,
} from '../../support/wikidata-server.ts'

let server: WikidataServer
beforeAll(async () => {
  server = await startWikidataServer({ random: () => 0 })
})
afterAll(() => server.close())
beforeEach(() => void server.asked())

const world: WikidataServer['world'] = (items, options) => server.world(items, options)

async function stored({ id }: TestProject): Promise<Project> {
  const project = await findProject(server.bench.db, id)
  if (project === undefined) throw new Error('expected the project')
  return project
}

describe('what was answered is read with its items', () => {
  it('explain shows the searches, the candidates and what was merged', async () => {
    const lives = person('Q4202', 'Eve Explained', '1911-01-01')
    world([{ ...lives, id: 'Q4201' }, lives], { redirects: { Q4201: 'Q4202' } })
    const project = await server.project([row('r0', 'Eve Explained', { born: '1911-01-01' })])
    await server.run(project)
    server.asked()
    const explanation = await explainEntry(server.bench.db, await stored(project), 'r0')
    expect(explanation.questions).toMatchObject([
      { name: 'Eve Explained', kind: 'label', language: 'en', status: 'answered', candidates: 2 },
      { name: 'Eve Explained', kind: 'words', status: 'missing' },
    ])
    expect(explanation.decision?.candidates).toMatchObject([{ id: 'Q4202', foundAs: ['Q4201'] }])
    const text = explanationText(explanation, 3)
    expect(text).toContain('by label (en) "Eve Explained": 2 candidates')
    expect(text).toMatch(/merged from +Q4201/)
    expect(text).toMatch(/P569 +1911-01-01 +1911-01-01/)
    expect(server.asked()).toEqual([])
  })

  it('rescore and its preview decide by the items, asking nobody, and agree', async () => {
    world([
      person('Q4211', 'Rosa Rescored', '1921-01-01'),
      person('Q4212', 'Rosa Rescored', '1922-02-02'),
    ])
    const { db } = server.bench
    // Without the date there are two who are called so.
    const properties = peopleMapping.properties.filter(({ pid }) => pid !== 'P569')
    const undated = { ...peopleMapping, properties }
    const project = await server.project(
      [
        row('r0', 'Rosa Rescored', { born: '1921-01-01' }),
        row('r1', 'Nobody Rescored', { born: '1921-01-01' }),
      ],
      { mapping: undated },
    )
    await server.run(project)
    expect(await server.results(project)).toEqual(['r0 review', 'r1 no_candidate'])
    server.asked()
    const rescored = async (revision: number) => {
      const preview = await previewRescore(db, await stored(project))
      await server.run(project, revision, { rescore: true })
      expect(server.asked()).toEqual([])
      return { preview, results: await server.results(project) }
    }
    await reviseSettings(db, project, { mapping: peopleMapping })
    expect(await rescored(2)).toMatchObject({
      preview: {
        counts: { new: 1 },
        unchanged: 1,
        unanswered: 0,
        examples: [{ id: 'r0', after: { qid: 'Q4211' } }],
      },
      results: ['r0 matched Q4211', 'r1 no_candidate'],
    })
    await reviseSettings(db, project, { mapping: undated })
    expect(await rescored(3)).toMatchObject({
      preview: { counts: { lost: 1 }, unanswered: 0 },
      results: ['r0 review', 'r1 no_candidate'],
    })
  })

  it('a rescore leaves as it is what lacks an item, and says how many', async () => {
    world([person('Q4221', 'Lena Lacking', '1931-01-01')])
    const project = await server.project([row('r0', 'Lena Lacking', { born: '1931-01-01' })])
    await server.run(project)
    const { mapping } = project.settings
    const floruit = { pid: 'P1317', columns: ['born'], kind: 'date', use: 'compare' } as const
    await reviseSettings(server.bench.db, project, {
      mapping: { ...mapping, properties: [...mapping.properties, floruit] },
    })
    server.asked()
    const preview = await previewRescore(server.bench.db, await stored(project))
    expect(preview).toMatchObject({ unanswered: 1, unchanged: 0, examples: [] })
    await server.run(project, 2, { rescore: true })
    expect(await server.results(project)).toEqual(['r0 matched Q4221'])
    expect(server.asked()).toEqual([])
  })

  it('evaluate counts a merged item as what it became part of, and weights are learned from what items state', async () => {
    const lives = person('Q4232', 'Gil Golden', '1941-01-01')
    world([{ ...lives, id: 'Q4231' }, lives], { redirects: { Q4231: 'Q4232' } })
    const project = await server.project([row('r0', 'Gil Golden', { born: '1941-01-01' })])
    await server.run(project)
    const gold = new Map([['r0', 'Q4231']])
    const { evaluation, wrong } = await evaluateProject(server.bench.db, project, gold)
    expect([evaluation.auto.right, wrong]).toEqual([1, []])
    expect(evaluation.candidateRecall).toBe(1)
    const ids: unknown[] = []
    await readAnsweredEntries(server.bench.db, await stored(project), async (page) => {
      for (const { lists } of page) {
        ids.push(lists.map(({ candidates }) => candidates.map(({ id, name }) => `${id} ${name}`)))
      }
    })
    expect(ids).toEqual([[['Q4232 Gil Golden']]])
  })
})

describe('--refresh-older-than', () => {
  it('fetches items again with their searches; a judged one that is described otherwise is stale', async () => {
    const before = person('Q4301', 'Ruth Renewed', '1951-01-01')
    const other = person('Q4302', 'Otto Same', '1952-02-02')
    world([before, other])
    const project = await server.project([
      row('r0', 'Ruth Renewed', { born: '1951-01-01' }),
      row('r1', 'Otto Same', { born: '1952-02-02' }),
    ])
    await server.run(project)
    const said = {
      line: 1,
      verdict: 'match',
      by: 'ada',
      at: null,
      note: null,
      matchHash: null,
    } as const
    const { db } = server.bench
    await appendJudgments(db, project.id, [
      { ...said, externalId: 'r0', qid: 'Q4301' },
      { ...said, externalId: 'r1', qid: 'Q4302' },
    ])
    await sql`update lookup set answered_at = answered_at - interval '2 days'`.execute(db)
    await sql`update item set facts_at = facts_at - interval '2 days'`.execute(db)
    world([{ ...before, descriptions: { en: 'a surgeon' } }, other])
    server.asked()
    await server.run(project, 1, { refreshOlderThanMs: 24 * 60 * 60 * 1000 })
    expect([...server.asked()].toSorted()).toEqual([
      'items Q4301|Q4302',
      'label en Otto Same',
      'label en Ruth Renewed',
    ])
    const rows = await db
      .selectFrom('result')
      .where('project_id', '=', project.id)
      .select(['match_qid', 'stale'])
      .orderBy('position')
      .execute()
    expect(rows).toEqual([
      { match_qid: 'Q4301', stale: true },
      { match_qid: 'Q4302', stale: false },
    ])
  })

  it('an answer has its language, and the version of the software that gave it', async () => {
    const kept = await server.bench.db
      .selectFrom('lookup as l')
      .innerJoin('service_version as v', 'v.id', 'l.service_version_id')
      .where('l.service', '=', 'wikidata')
      .select(['l.language', 'v.about'])
      .execute()
    expect(new Set(kept.map(({ language }) => language))).toEqual(new Set(['en', null]))
    expect(kept[0]?.about).toMatchObject({
      name: 'Wikidata',
      versions: ['Action API'],
      serviceVersion: 'MediaWiki 1.45.0-fake',
    })
  })
})
