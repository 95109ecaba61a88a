import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diffRuns } from '../../../src/client/match/run-diff.ts'
import type { ResultChange } from '../../../src/client/match/result-changes.ts'
import { appendJudgments } from '../../../src/db/judgments.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { answerEach, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import {
  createTestProject,
  putRecords,
  reviseSettings,
  type TestProject,
} from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())

const names = ['Stays', 'Changes', 'Vanishes', 'Appears', 'Fails', 'Merges', 'Judged']
const records = names.map((name) => ({ id: name.toLowerCase(), name }))
const first: Readonly<Record<string, string>> = {
  Stays: 'Q1',
  Changes: 'Q2',
  Vanishes: 'Q3',
  Fails: 'Q5',
  Merges: 'Q6',
  Judged: 'Q7',
}
const later: Readonly<Record<string, string>> = {
  ...first,
  Changes: 'Q20',
  Vanishes: '',
  Appears: 'Q4',
  Merges: 'Q60',
}

/** Answers so from now on; to one name with an error. */
function answer(ids: Readonly<Record<string, string>>, failing?: string): void {
  server.service.respond((request) => {
    if (request.queries === null) return manifestAnswer(request)
    const asked = Object.values(request.queries)
    if (failing !== undefined && asked.some(({ query }) => query === failing))
      return { status: 400, json: {} }
    return answerEach(request, ({ query = '' }) =>
      (ids[query] ?? '') === '' ? [] : [{ id: ids[query], name: query, score: 100, match: true }],
    )
  })
}

async function diff({ id }: TestProject, from: number, to: number) {
  const changes: ResultChange[] = []
  const counts = await diffRuns(server.bench.db, { projectId: id, from, to }, (change) =>
    changes.push(change),
  )
  return { counts, changes: changes.map(({ id: entry, kind }) => `${entry} ${kind}`), all: changes }
}

describe('two runs of a project', () => {
  it('differ in what is new, changed, lost, merged and stale', async () => {
    const { db } = server.bench
    answer(first)
    const project = await createTestProject(db, server.ownAddress(), records)
    await (await server.bench.start(project.id)).result()
    const judgment = { line: 1, externalId: 'judged', verdict: 'match', qid: 'Q7' } as const
    const said = { ...judgment, by: 'ada', at: null, note: null, matchHash: null }
    await appendJudgments(db, project.id, [said])
    await putRecords(db, project.datasetId, [{ id: 'judged', name: 'Judged otherwise' }])
    await db
      .updateTable('item')
      .set({ state: 'merged', merged_into: 'Q60' })
      .where('service', '=', project.settings.service)
      .where('external_id', '=', 'Q6')
      .execute()

    // With another limit every question is another one, and is asked again.
    answer(later, 'Fails')
    const revised = await reviseSettings(db, project, { limit: 5 })
    await refreshSubjects(db, { ...revised, revision: 2 })
    const options = { entriesPerTask: 1, maxAttempts: 1 }
    await (await server.bench.start(project.id, { settingsRevision: 2, options })).result()

    const { counts, changes, all } = await diff(project, 1, 2)
    expect(changes).toEqual([
      'changes changed',
      'vanishes lost',
      'appears new',
      'fails lost',
      'merges merged',
      'judged stale',
    ])
    expect(counts).toEqual({ new: 1, changed: 1, lost: 2, merged: 1, moved: 0, stale: 1 })
    expect(all.find(({ id }) => id === 'changes')).toMatchObject({
      before: { outcome: 'matched', qid: 'Q2' },
      after: { outcome: 'review', qid: 'Q20', rule: 'match-changed' },
    })
    // Could not be asked: that is not "no match".
    expect(all.find(({ id }) => id === 'fails')?.after?.outcome).toBe('failed')
  })

  it('are compared as they left the records, also those that the later one did not touch', async () => {
    const { db } = server.bench
    answer(first)
    const project = await createTestProject(db, server.ownAddress(), records)
    await (await server.bench.start(project.id, { options: { limit: 2 } })).result()
    await (await server.bench.start(project.id)).result()
    expect((await diff(project, 0, 1)).changes).toEqual(['stays new', 'changes new'])
    expect((await diff(project, 1, 2)).counts).toMatchObject({ new: 4, lost: 0, changed: 0 })
    expect((await diff(project, 2, 2)).changes).toEqual([])
    expect((await diff(project, 2, 1)).counts).toMatchObject({ lost: 4, new: 0 })
  })
})
