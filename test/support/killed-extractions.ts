/**
 * Extractions that are held at a statement of theirs, several at once in one worker process, which then is killed with
 * -9. Another process goes on with all of them.
 *
 *   const site = await openKillSite()
 *   const calm = await site.undisturbed()
 *   const [killed] = await site.killedAt([{ index: 7, fate: 'hold_before' }])
 *   expect(killed.left).toEqual(calm.left)
 *   await site.close()
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { beginExtraction } from '../../src/client/extract/start-extraction.ts'
import { checkConfig } from '../../src/core/extract/parallel-config.ts'
import type { Db } from '../../src/db/connect.ts'
import { createExtractRun } from '../../src/db/extract-runs.repo.ts'
import { countedItems, startFakeSource } from './fake-source.ts'
import type { RunningCommand } from './running-command.ts'
import { type SeenStatement, type StatementFate, startStatementProxy } from './statement-proxy.ts'
import { openWorkerSite } from './worker-site.ts'

/** When the process dies: before the server has a statement, or when its answer is on the way back. */
export interface Moment {
  /** Of the statements of an extraction, from 0. */
  readonly index: number
  readonly fate: Exclude<StatementFate, 'pass'>
}

export interface PlayedExtraction {
  /** What it sent to PostgreSQL, in order. */
  readonly statements: readonly string[]
  /** What it left there, without times and numbers of its own. */
  readonly left: unknown
  /** Addresses that it asked the source for, in order. */
  readonly asked: readonly string[]
}

export interface KillSite {
  undisturbed(): Promise<PlayedExtraction>
  /** One extraction for each moment, in a process that is killed when each has come to its own. */
  killedAt(moments: readonly Moment[]): Promise<readonly PlayedExtraction[]>
  close(): Promise<void>
}

interface Play {
  /** Names its dataset, and stands in its addresses and items. */
  readonly key: string
  readonly runId: string
  moment: Moment | null
  readonly statements: string[]
}

/** A page of ten and one of two; each item has details. */
const ITEMS = 12
const PAGE = 10
/** The number of a run is no other number in a statement. */
const FIRST_RUN = 7_000_001

export async function openKillSite(): Promise<KillSite> {
  const source = await startFakeSource()
  source.api.instead = ({ pathname, searchParams }) => {
    const [, key = '', id] = pathname.split('/')
    if (id !== undefined) return { json: { id, more: `More of ${id} of ${key}` } }
    const items = countedItems(ITEMS).map((item) => ({ ...item, of: key }))
    const offset = Number(searchParams.get('offset'))
    return { json: items.slice(offset, offset + PAGE) }
  }
  const site = await openWorkerSite()
  await sql`alter sequence extract_run_id_seq restart with ${sql.lit(FIRST_RUN)}`.execute(site.db)
  const plays: Play[] = []
  let count = 0
  const proxy = await startStatementProxy(site.databaseUrl, createJudge(plays))
  let worker: RunningCommand | undefined

  const startWorker = async (): Promise<RunningCommand> => {
    const started = site.startWith({ env: { DATABASE_URL: proxy.url } })
    await started.until('The worker is ready')
    return started
  }
  const begin = async (moment: Moment | null) => {
    count += 1
    const key = `play-${String(count).padStart(4, '0')}`
    const type = { path: `/${key}`, detail: { path: `/${key}/{id}` } }
    const runId = await createExtractRun(site.db, {
      profile: source.profile('offset', type),
      dataset: key,
      types: ['items'],
      options: {
        config: checkConfig({ batchSize: PAGE }).config,
        maxAttempts: 3,
        mostAbsentPercent: 20,
        giveUpAfterMs: 24 * 60 * 60 * 1000,
        rereads: 0,
      },
    })
    if (runId === undefined) throw new Error('another run is open')
    const play: Play = { key, runId: String(runId), moment, statements: [] }
    plays.push(play)
    const handle = await beginExtraction(site.client, runId)
    return { play, done: handle.result() }
  }
  const look = async ({ key, runId, statements }: Play): Promise<PlayedExtraction> => {
    const paths = source.service.requests.map(({ path }) => path)
    const ofKey = (path: string) => [`/${key}/`, `/${key}?`].some((start) => path.startsWith(start))
    return {
      statements: [...statements],
      left: await whatIsLeft(site.db, runId, key),
      asked: paths.filter(ofKey).map((path) => path.replace(key, 'KEY')),
    }
  }
  return {
    async undisturbed() {
      worker ??= await startWorker()
      const { play, done } = await begin(null)
      await done
      return look(play)
    },
    async killedAt(moments) {
      worker ??= await startWorker()
      const begun = await Promise.all(moments.map(begin))
      await Promise.race([
        untilHeld(begun.map(({ play }) => play)),
        Promise.race(begun.map(({ done }) => done)).then(() => {
          throw new Error('an extraction ended before its moment came')
        }),
      ])
      process.kill(worker.mark.pid, 'SIGKILL')
      await worker.ended
      worker = await startWorker()
      await Promise.all(begun.map(({ done }) => done))
      return Promise.all(begun.map(({ play }) => look(play)))
    },
    async close() {
      await site.close()
      await proxy.close()
      await source.close()
    },
  }
}

/** A statement is of the extraction whose number or key is in its values, or that its transaction is of. */
function createJudge(plays: readonly Play[]): (statement: SeenStatement) => StatementFate {
  /** By connection, while it is in a transaction. */
  const inTransaction = new Map<number, Play | undefined>()
  return ({ connection, text, values }) => {
    if (text === 'begin') inTransaction.set(connection, undefined)
    const named = plays.find(({ runId, key }) =>
      values.some((value) => value === runId || value?.includes(key)),
    )
    const play = named ?? inTransaction.get(connection)
    if (text === 'commit' || text === 'rollback') inTransaction.delete(connection)
    else if (inTransaction.has(connection)) inTransaction.set(connection, play)
    if (play === undefined) return 'pass'
    play.statements.push(text)
    const { moment } = play
    if (moment === null || moment.index !== play.statements.length - 1) return 'pass'
    play.moment = null
    return moment.fate
  }
}

async function untilHeld(plays: readonly Play[]): Promise<void> {
  while (plays.some(({ moment }) => moment !== null)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function whatIsLeft(db: Db, runId: string, key: string): Promise<unknown> {
  const { rows } = await sql<{ left: string }>`
    select jsonb_build_object(
      'run', (select jsonb_build_object('status', r.status, 'code', r.error_code)
        from extract_run r where r.id = ${runId}::bigint),
      'checkpoint', (select to_jsonb(c) - 'run_id' - 'completed_at'
        from extract_checkpoint c where c.run_id = ${runId}::bigint),
      'pages', (select jsonb_agg(to_jsonb(p) - 'run_id' - 'stored_at' - 'worker' order by p.position)
        from extract_page p where p.run_id = ${runId}::bigint),
      'items', (select jsonb_agg(to_jsonb(i) - 'run_id' - 'content_hash' || jsonb_build_object('body', b.body)
          order by i.position, i.ordinal)
        from extract_item i join extract_body b on b.hash = i.content_hash
        where i.run_id = ${runId}::bigint),
      'errors', (select count(*) from extract_error e where e.run_id = ${runId}::bigint),
      'entries', (select jsonb_agg(jsonb_build_array(e.position, e.external_id, e.source, e.absent_since)
          order by e.position)
        from entry e join dataset d on d.id = e.dataset_id where d.name = ${key}::text)
    )::text as left`.execute(db)
  return JSON.parse((rows[0]?.left ?? '').replaceAll(key, 'KEY')) as unknown
}

/** Every moment of the second page: of reading it, of the details of its items, and of landing the whole list. */
export function momentsOfSecondPage({ statements }: PlayedExtraction): readonly Moment[] {
  const first = statements.findIndex((text) => text.includes('set "details_done"')) + 1
  const last = statements.lastIndexOf('commit')
  return statements.flatMap((text, index): readonly Moment[] => {
    if (index < first || index > last) return []
    const before: Moment = { index, fate: 'hold_before' }
    return text === 'commit' ? [before, { index, fate: 'hold_answer' }] : [before]
  })
}

/** Undisturbed or not: all is there once, and no more than what was on its way is asked for twice. */
export function expectAlike(killed: PlayedExtraction, calm: PlayedExtraction, what: string): void {
  expect([what, killed.left]).toEqual([what, calm.left])
  expect([what, new Set(killed.asked)]).toEqual([what, new Set(calm.asked)])
  expect([what, killed.asked.length - calm.asked.length <= 1]).toEqual([what, true])
}
