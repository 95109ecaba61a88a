/** Schedules of the real Temporal server: they start matches by the clock, and never a second one. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { deleteProject } from '../../../src/db/projects.repo.ts'
import { countProject } from '../../../src/db/run-progress.repo.ts'
import { latestRun } from '../../../src/db/runs.repo.ts'
import { defaultRunOptions, type RunOptions } from '../../../src/core/run.ts'
import { matchProjectId } from '../../../src/core/workflow-ids.ts'
import {
  changeSchedule,
  readSchedule,
  writeSchedule,
} from '../../../src/client/schedules/temporal-schedule.ts'
import { createCli } from '../../support/cli.ts'
import { answerByName, manifestAnswer } from '../../support/fake-reconciliation-service.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

const EVERY_SECOND = '* * * * * * *'
/** The scheduler of a server on a busy machine takes its time. */
const SOON = { timeout: 90_000, interval: 200 }

let server: MatchServer
beforeAll(async () => {
  server = await startMatchServer()
})
afterAll(() => server.close())
beforeEach(() => server.service.respond(answerByName))

const records = [
  { id: 'r0', name: 'Berlin' },
  { id: 'r1', name: 'Paris' },
]
const newProject = () =>
  createTestProject(server.bench.db, server.ownAddress(), records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
const schedule = (projectId: number, options: Partial<RunOptions> = {}) =>
  writeSchedule(server.bench.client, {
    projectId,
    cron: EVERY_SECOND,
    timeZone: 'UTC',
    isPaused: false,
    options: { ...defaultRunOptions, ...options },
    taskQueue: server.bench.taskQueue,
  })
const news = async (projectId: number) => readSchedule(server.bench.client, projectId)
const remove = (projectId: number) => changeSchedule(server.bench.client, projectId, 'remove')
const untilOutcome = (projectId: number, outcome: string) =>
  vi.waitFor(async () => expect((await news(projectId))?.last?.outcome).toBe(outcome), SOON)
const runsOf = async (projectId: number) =>
  server.bench.db.selectFrom('run').where('project_id', '=', projectId).selectAll().execute()

describe('a schedule', () => {
  it('starts the match, and opens no run when nothing is due', async () => {
    const { id } = await newProject()
    await schedule(id)
    await vi.waitFor(
      async () => expect((await countProject(server.bench.db, id)).completed).toBe(2),
      SOON,
    )
    await untilOutcome(id, 'nothing_due')
    expect(await runsOf(id)).toHaveLength(1)
    await remove(id)
    expect(await news(id)).toBeUndefined()
  })

  it('joins the run that is going on, and leaves one with other options alone', async () => {
    const { id } = await newProject()
    server.service.respond((request) =>
      request.queries === null ? manifestAnswer(request) : { hang: 'before_headers' },
    )
    await schedule(id)
    await untilOutcome(id, 'joined')
    await schedule(id, { retryFailed: true })
    await untilOutcome(id, 'other_run_open')
    await remove(id)
    expect(await runsOf(id)).toHaveLength(1)
    const handle = server.bench.client.workflow.getHandle(matchProjectId(id))
    await handle.cancel()
    await handle.result().catch(() => undefined)
    expect((await latestRun(server.bench.db, id))?.status).toBe('cancelled')
  })

  it('goes with its project', async () => {
    const { id } = await newProject()
    await schedule(id)
    await untilOutcome(id, 'nothing_due')
    // Nothing is due from its last decision on; the run is still to be closed then.
    await vi.waitFor(
      async () => expect((await latestRun(server.bench.db, id))?.status).toBe('completed'),
      SOON,
    )
    expect(await deleteProject(server.bench.db, id)).toBe('deleted')
    await vi.waitFor(async () => expect(await news(id)).toBeUndefined(), SOON)
  })

  it('that is paused fires no more, and keeps standing still when it is changed', async () => {
    const { id } = await newProject()
    await schedule(id)
    await untilOutcome(id, 'nothing_due')
    await changeSchedule(server.bench.client, id, 'pause')
    expect(await news(id)).toMatchObject({ isPaused: true, next: null })
    await changeSchedule(server.bench.client, id, 'resume')
    expect((await news(id))?.next).toBeInstanceOf(Date)
    await remove(id)
  })

  it('is made up for within a day when it was missed, and skips what would overlap', async () => {
    const { id } = await newProject()
    await schedule(id)
    const handle = server.bench.client.schedule.getHandle(`schedule/match-project/${id}`)
    const { policies } = await handle.describe()
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 86_400_000 })
    await remove(id)
  })
})

describe('the command', () => {
  it('makes, lists, pauses, resumes and removes a schedule', async () => {
    const cli = createCli({
      DATABASE_URL: server.options.databaseUrl,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
    })
    try {
      const { id } = await newProject()
      const flags = ['--project', String(id), '-o', 'json']
      const nightly = ['--cron', '0 3 * * *', '--time-zone', 'Europe/Amsterdam']
      const made = JSON.parse(await cli.data('schedule', ...nightly, ...flags))
      expect(made).toMatchObject({
        project: id,
        cron: '0 3 * * *',
        timeZone: 'Europe/Amsterdam',
        status: 'active',
        last: null,
      })
      const hour = new Date(made.next).toLocaleTimeString('en-GB', { timeZone: made.timeZone })
      expect(hour).toBe('03:00:00')
      const paused = JSON.parse(await cli.data('schedule', 'pause', ...flags))
      expect(paused).toMatchObject({ status: 'paused', next: null })
      const changed = JSON.parse(await cli.data('schedule', 'set', '--cron', '0 4 * * *', ...flags))
      expect(changed).toMatchObject({ cron: '0 4 * * *', status: 'paused' })
      const resumed = JSON.parse(await cli.data('schedule', 'resume', ...flags))
      expect(resumed).toMatchObject({ status: 'active' })
      expect(JSON.parse(await cli.data('schedule', 'list', '-o', 'json'))).toMatchObject([
        { project: id, cron: '0 4 * * *' },
      ])
      // Whoever pauses or removes it in the Temporal UI is heard too.
      await changeSchedule(server.bench.client, id, 'pause')
      expect(await cli.data('schedule', 'list')).toContain('paused')
      await remove(id)
      expect(JSON.parse(await cli.data('schedule', 'list', '-o', 'json'))).toEqual([])
      expect((await cli.run('schedule', 'pause', ...flags)).code).toBe(2)
      const bad = await cli.run('schedule', '--cron', '0 99 * * *', ...flags)
      expect(bad).toMatchObject({ code: 2, stdout: '' })
      expect(bad.stderr).toContain('"code":"bad_cron"')
    } finally {
      await cli.remove()
    }
  })
})
