/** A source that lets nobody in, or answers nobody. */
import { describe, expect, it } from 'vitest'
import { resumeSignal } from '../../../src/workflows/messages.ts'
import { countedItems } from '../../support/fake-source.ts'
import {
  begin,
  extract,
  newDataset,
  presentIds,
  reportOf,
  resume,
  until,
  wantedRun,
} from './extraction.ts'
import { openSourceSite } from './source-site.ts'

/** The ports are known only once the servers are there. */
const credentials: Record<string, string> = {}
const site = openSourceSite({ items: countedItems(95) }, { credentials })

const config = { batchSize: 10, workers: 3 }

describe('a source that answers nobody for longer than --give-up-after', () => {
  it('fails what is asked of it, and a resume goes on when it is back', async () => {
    site.source.api.items = countedItems(25)
    const dataset = newDataset()
    const profile = site.source.profile('offset', { detail: { path: '/items/{id}' } })
    site.source.api.instead = async ({ pathname }) => {
      if (pathname === '/items/i0003') setImmediate(() => void site.source.service.stop())
      return undefined
    }
    const { run, report } = await extract(site.server, {
      profile,
      dataset,
      config: { batchSize: 10 },
      giveUpAfterMs: 0,
    })
    expect(run.status).toBe('completed_with_errors')
    const [type] = report.types
    // The page that was read stays; the details of its other items, and the three next pages, could not be had.
    expect(type).toMatchObject({ state: 'incomplete', code: 'pages_failed', items: 10 })
    const errors = await site.server.bench.db
      .selectFrom('extract_error')
      .where('run_id', '=', run.id)
      .select(['code', 'item_id as item'])
      .execute()
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['domain_unavailable']))
    expect(errors.filter(({ item }) => item === null)).toHaveLength(3)
    expect(errors.filter(({ item }) => item !== null).length).toBe(10 - (type?.details ?? 0))

    site.source.api.instead = () => undefined
    await site.source.service.restart()
    await resume(site.server, run.id)
    const { report: whole } = await reportOf(site.server, run.id)
    expect(whole).toMatchObject({ status: 'completed', errors: 0, types: [{ details: 25 }] })
    expect(await presentIds(site.server, dataset)).toHaveLength(25)
  })
})

describe('a source that wants to know who asks', () => {
  const login = {
    kind: 'login',
    path: '/login',
    idField: 'client_id',
    secretField: 'client_secret',
    tokenPath: 'access_token',
    expiresInPath: 'expires_in',
    scheme: 'token',
  } as const

  it('case 23: gets a token; one that is refused is renewed once for all workers', async () => {
    credentials[site.source.service.domain] = 'me:secret'
    let logins = 0
    let valid = ''
    site.source.api.instead = (url, request) => {
      if (url.pathname === '/login') {
        if (request.body !== 'client_id=me&client_secret=secret') return { status: 403, json: {} }
        logins += 1
        valid = `t${logins}`
        return { json: { access_token: valid, expires_in: 3600 } }
      }
      // The first token dies in the middle of the run.
      if (logins === 1 && site.source.listRequests().length > 4) valid = ''
      const isKnown = request.headers.authorization === `token ${valid}`
      return isKnown ? undefined : { status: 401, json: {} }
    }
    const dataset = newDataset()
    const profile = { ...site.source.profile('offset'), auth: login }
    const { run } = await extract(site.server, { profile, dataset, config })
    expect([run.status, logins]).toEqual(['completed', 2])
    expect(await presentIds(site.server, dataset)).toHaveLength(95)
  })

  it('pauses the run when it lets nobody in, and one request finds out whether it does again', async () => {
    credentials[site.source.service.domain] = 'key-1'
    site.source.api.instead = (_, { headers }) =>
      headers['x-key'] === 'key-2' ? undefined : { status: 401, json: {} }
    const wanted = wantedRun({
      profile: { ...site.source.profile('offset'), auth: { kind: 'header', name: 'x-key' } },
      config,
    })
    const { runId, handle } = await begin(site.server, wanted)
    const paused = await until(site.server, runId, ({ pausedReason }) => pausedReason !== null)
    expect(paused.pausedReason).toContain('unauthorised')
    const before = site.source.listRequests().length
    await handle.signal(resumeSignal)
    await site.source.service.until(() => site.source.listRequests().length > before)
    await until(site.server, runId, ({ pausedReason }) => pausedReason !== null)
    expect(site.source.listRequests()).toHaveLength(before + 1)
    credentials[site.source.service.domain] = 'key-2'
    await handle.signal(resumeSignal)
    expect(await handle.result()).toEqual({ status: 'completed' })
    expect(await presentIds(site.server, wanted.dataset)).toHaveLength(95)
  })
})
