import { describe, expect, it } from 'vitest'
import { createSourceApp, SOURCE_PATH } from '../../../src/source/source-app.ts'
import { DEFAULT_SOURCE_SIZE } from '../../../src/source/source-size.ts'

type Options = Parameters<typeof createSourceApp>[0]
type Row = Readonly<Record<string, unknown>>

const usual: Options = {
  seed: 7,
  size: { ...DEFAULT_SOURCE_SIZE, users: 120, dashboards: 30 },
  credentials: 'me:secret',
  tokenLifeS: 60,
  day: 1,
  requestsPerDay: null,
  requestsPerMinute: null,
  faultPercent: 0,
  forbiddenDetails: 0,
  mostRows: null,
  delayMs: 0,
}

/** A source with somebody who has logged in. */
async function signedIn(changes: Partial<Options> = {}, nowMs: () => number = () => 0) {
  const app = createSourceApp({ ...usual, ...changes }, nowMs)
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    app.request(`http://source.test${SOURCE_PATH}${path}`, init)
  const body = new URLSearchParams({ client_id: 'me', client_secret: 'secret' })
  const login = async () => (await ask('/login', { method: 'POST', body })).json()
  const { access_token: token } = (await login()) as { access_token: string }
  const get = (path: string) => ask(path, { headers: { authorization: `token ${token}` } })
  const rows = async (path: string) => (await (await get(path)).json()) as readonly Row[]
  return { ask, get, rows, token }
}

const idsOf = (list: readonly Row[]) => list.map(({ id }) => id)

describe('the source', () => {
  it('serves pages as bare arrays, with the total and the next page in headers', async () => {
    const { get, rows } = await signedIn()
    const response = await get('/users?limit=50&offset=50&sorts=id')
    const page = (await response.json()) as readonly Row[]
    expect(idsOf(page)).toEqual(Array.from({ length: 50 }, (_, index) => String(51 + index)))
    expect(response.headers.get('x-total-count')).toBe('120')
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? ''
    expect(new URL(next).searchParams.get('offset')).toBe('100')
    expect(await rows('/users?page=3&per_page=50')).toHaveLength(20)
    const last = await get('/users?limit=50&offset=100')
    expect(last.headers.get('link')).not.toContain('rel="next"')
  })

  it('sorts, and leaves out fields that were not asked for', async () => {
    const { rows } = await signedIn()
    expect(await rows('/users?limit=2&sorts=id desc&fields=id')).toEqual([
      { id: '120' },
      { id: '119' },
    ])
  })

  it('serves no more rows at once than it is told', async () => {
    const { rows } = await signedIn({ mostRows: 30 })
    expect(await rows('/users?limit=100')).toHaveLength(30)
  })

  it('has dashboards whole, LookML ones too, and their elements one by one', async () => {
    const { get, rows } = await signedIn({ forbiddenDetails: 1 })
    const dashboards = await rows('/dashboards?limit=5')
    expect(dashboards).toHaveLength(30)
    expect(dashboards.some((one) => 'dashboard_elements' in one)).toBe(false)
    const lookml = await get('/dashboards/model_1%3A%3Adashboard_10')
    const details = (await lookml.json()) as { dashboard_elements: readonly Row[] }
    expect(details).toMatchObject({ id: 'model_1::dashboard_10', title: dashboards[9]?.['title'] })
    expect(details.dashboard_elements[0]).toMatchObject({ dashboard_id: 'model_1::dashboard_10' })
    expect((await get('/dashboards/1')).status).toBe(403)
    expect((await get('/dashboards/none')).status).toBe(404)
  })

  it('lets nobody in without a token, with other credentials, or after the life of a token', async () => {
    let now = 0
    const { ask, get } = await signedIn({}, () => now)
    expect((await ask('/users')).status).toBe(401)
    const body = new URLSearchParams({ client_id: 'me', client_secret: 'other' })
    expect((await ask('/login', { method: 'POST', body })).status).toBe(404)
    expect((await get('/users')).status).toBe(200)
    now = 60_000
    expect((await get('/users')).status).toBe(401)
  })

  it('refuses more requests than a minute may have, and says when to come again', async () => {
    let now = 0
    // One of them is the login.
    const { get } = await signedIn({ requestsPerMinute: 3, tokenLifeS: 600 }, () => now)
    expect((await get('/users')).status).toBe(200)
    now = 20_000
    expect((await get('/users')).status).toBe(200)
    const refused = await get('/users')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
    now = 60_000
    expect((await get('/users')).status).toBe(200)
  })

  it('is the same for the same seed, and another for another', async () => {
    const users = async (seed: number) => (await signedIn({ seed })).rows('/users?limit=120')
    expect(await users(7)).toEqual(await users(7))
    expect(await users(7)).not.toEqual(await users(8))
  })

  it('changes, adds and takes away records from one day to the next', async () => {
    const on = async (day: number) => (await signedIn({ day })).rows('/users?limit=500')
    const [first, second] = [await on(1), await on(2)]
    const before = new Map(first.map((user) => [user['id'], JSON.stringify(user)]))
    const kept = second.filter(({ id }) => before.has(id))
    expect([second.length - kept.length, first.length - kept.length]).toEqual([1, 1])
    expect(kept.filter((user) => before.get(user['id']) !== JSON.stringify(user))).toHaveLength(2)
  })

  it('lets a day go by after so many requests', async () => {
    const { rows } = await signedIn({ requestsPerDay: 2 })
    const [first, second, third] = [
      await rows('/users?limit=500'),
      await rows('/users?limit=500'),
      await rows('/users?limit=500'),
    ]
    expect(second).toEqual(first)
    expect(third).not.toEqual(first)
  })

  it('fails as many requests as it is told, the same ones each time', async () => {
    const statuses = async () => {
      const { get } = await signedInDespiteFaults()
      const found: (number | string)[] = []
      for (let left = 60; left > 0; left -= 1) {
        const response = await get('/users')
        const isWhole = await response.json().then(
          () => true,
          () => false,
        )
        found.push(response.status === 200 && !isWhole ? 'cut' : response.status)
      }
      return found
    }
    const found = await statuses()
    expect(new Set(found)).toEqual(new Set([200, 500, 502, 503, 'cut']))
    expect(await statuses()).toEqual(found)
  })
})

/** A login may fail as anything else does. */
async function signedInDespiteFaults() {
  const app = createSourceApp({ ...usual, faultPercent: 40 }, () => 0)
  const body = () => new URLSearchParams({ client_id: 'me', client_secret: 'secret' })
  for (;;) {
    const response = await app.request(`${SOURCE_PATH}/login`, { method: 'POST', body: body() })
    const token = /"access_token":"([^"]+)","token_type"/.exec(await response.text())?.[1]
    if (token === undefined) continue
    const headers = { authorization: `Bearer ${token}` }
    return { get: async (path: string) => app.request(`${SOURCE_PATH}${path}`, { headers }) }
  }
}
