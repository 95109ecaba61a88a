import { expect, it } from 'vitest'
import { evaluateProject } from '../../../src/client/evaluate/evaluate-project.ts'
import { readGold } from '../../../src/client/evaluate/read-gold.ts'
import { connectDatabase, type Db } from '../../../src/db/connect.ts'
import { findProject } from '../../../src/db/projects.repo.ts'
import { refreshSubjects } from '../../../src/db/subject-refresh.ts'
import { decideRecord, scoredCandidate } from '../../support/decided-records.ts'
import { createTestProject, putRecords } from '../../support/match-project-rows.ts'
import { onTempDatabase } from '../../support/on-temp-database.ts'
import { testWeb } from '../../support/web-app.ts'

let db: Db
onTempDatabase((url) => (db = connectDatabase(url)))

const ids = ['right', 'wrong', 'absent', 'open', 'stale', 'beside']

it('hands what was judged on the page to "evaluate" and "weights fit" as right answers', async () => {
  const web = testWeb(db)
  const ann = { Cookie: 'record_linker_reviewer=Ann' }
  const made = await createTestProject(
    db,
    'sample',
    ids.map((id) => ({ id, name: `name of ${id}` })),
  )
  await refreshSubjects(db, { ...made, revision: 1 })
  for (const id of ids) {
    await decideRecord(db, made.id, id, 'matched', [
      scoredCandidate('Q1', { score: 95 }),
      scoredCandidate('Q2', { score: 40 }),
    ])
  }
  const say = async (entry: string, said: string, more: Readonly<Record<string, string>> = {}) => {
    const { status } = await web.form(
      `/p/${made.id}/judge`,
      { entry, view: '', place: '', say: said, ...more },
      ann,
    )
    expect([entry, status]).toEqual([entry, 303])
  }
  await say('right', 'match Q1')
  await say('wrong', 'match Q2')
  await say('absent', 'not_in_wikidata')
  await say('open', 'none_fits')
  await say('beside', 'not_applicable')
  await say('stale', 'match Q2')
  await putRecords(db, made.datasetId, [{ id: 'stale', name: 'another name' }])
  await refreshSubjects(db, { ...made, revision: 1 })

  const labels = await (await web.ask(`/projects/${made.id}/judgments`)).text()
  const file = { name: 'judgments.csv', sizeBytes: null, open: () => chunksOf(labels) }
  const gold = await readGold(file, 'sample')
  expect(Object.fromEntries(gold)).toEqual({ right: 'Q1', wrong: 'Q2', absent: null })

  const project = await findProject(db, made.id)
  if (project === undefined) throw new Error('expected the project that was made')
  const { evaluation, wrong } = await evaluateProject(db, project, gold)
  expect(evaluation.auto).toMatchObject({ n: 3, right: 1 })
  expect(wrong.map((one) => [one.id, one.expected]).toSorted()).toEqual([
    ['absent', null],
    ['wrong', 'Q2'],
  ])
})

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
