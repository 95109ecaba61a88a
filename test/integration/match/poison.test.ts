import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChildJudge } from '../../../src/activities/judge-in-child.ts'
import { noPast } from '../../../src/core/matching/record-past.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { processTree } from '../../support/process-tree.ts'

const poisonableChild = new URL('../../support/poisonable-child.ts', import.meta.url)

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer({ judgeChild: poisonableChild })
})
afterAll(() => server.close())

it('a record that kills its process is FAILED poison, and the others of its page are decided', async () => {
  const { bench, service } = server
  const { db } = bench
  const names = ['Berlin', 'Poison', 'Paris']
  const records = names.map((name, index) => ({ id: `r${index}`, name }))
  const project = await createTestProject(db, server.ownAddress(), records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
  // What a worker leaves that dies while it decides: the marker of its page.
  service.respond(async (request) => {
    if (request.queries === null) return manifestAnswer(request)
    const last = await db
      .selectFrom('subject')
      .where('project_id', '=', project.id)
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    await db.updateTable('task').set({ marked_subject_id: last.id }).execute()
    return answerByName(request)
  })
  await (await bench.start(project.id)).result()
  service.respond(answerByName)
  const rows = await db
    .selectFrom('result')
    .where('project_id', '=', project.id)
    .select(['match_status', 'match_qid', 'error_code'])
    .orderBy('position')
    .execute()
  expect(rows).toEqual([
    { match_status: 'matched', match_qid: 'Q64', error_code: null },
    { match_status: 'failed', match_qid: null, error_code: 'poison' },
    { match_status: 'matched', match_qid: 'Q90', error_code: null },
  ])
})

/** A second of computing takes a busy machine its time. */
const HANGS_MS = 600_000

it('a record that never comes to an end is poison too', { timeout: HANGS_MS }, async () => {
  const project = await createTestProject(server.bench.db, server.ownAddress(), [])
  const { settings } = project
  const child = createChildJudge({ settings, entry: poisonableChild, timeLimitMs: 1_000 })
  const record = (name: string) => ({ cells: { name }, answers: [], past: noPast })
  expect(await child.judge(record('Slow poison'))).toMatchObject({ kind: 'failed', code: 'poison' })
  expect(await child.judge(record('Berlin'))).toMatchObject({ kind: 'decided' })
  child.close()
})

it(
  'a record is not poison because the machine has no time for its process',
  { timeout: HANGS_MS },
  async () => {
    const project = await createTestProject(server.bench.db, server.ownAddress(), [])
    const { settings } = project
    const limitMs = 500
    const before = new Set(processTree(process.pid))
    const child = createChildJudge({ settings, entry: poisonableChild, timeLimitMs: limitMs })
    const record = { cells: { name: 'Berlin' }, answers: [], past: noPast }
    try {
      await child.judge(record)
      const [pid = 0] = processTree(process.pid).filter((one) => !before.has(one))
      process.kill(pid, 'SIGSTOP')
      const judging = child.judge(record)
      await sleep(3 * limitMs)
      process.kill(pid, 'SIGCONT')
      expect(await judging).toMatchObject({ kind: 'decided' })
      expect(processTree(process.pid)).toContain(pid)
    } finally {
      child.close()
    }
  },
)
