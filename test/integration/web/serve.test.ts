import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config.ts'
import { serveWeb } from '../../../src/web/serve-web.ts'
import { createTempDatabase, type TempDatabase } from '../../support/temp-database.ts'

let database: TempDatabase
beforeAll(async () => {
  database = await createTempDatabase()
})
afterAll(() => database.drop())

const options = (host: string) => ({
  config: loadConfig({}),
  stack: {
    temporalAddress: '127.0.0.1:1',
    temporalNamespace: 'default',
    databaseUrl: database.url,
    home: '/nowhere',
  },
  host,
  port: 0,
  allowedHosts: [],
  log: () => undefined,
})

/** The status of an answer to a request that names itself as browsers of others would. */
function statusAs(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/projects`, { method, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('error', reject)
    call.end()
  })
}

it('needs no token on this machine, and answers neither another name nor a page of another origin', async () => {
  const web = await serveWeb(options('127.0.0.1'))
  try {
    expect(web.token).toBeNull()
    const { port } = new URL(web.url)
    expect(await statusAs(web.url, {})).toBe(200)
    expect(await statusAs(web.url, { Host: `localhost:${port}` })).toBe(200)
    expect(await statusAs(web.url, { Host: `rebound.example:${port}` })).toBe(403)
    expect(await statusAs(web.url, { Origin: 'https://elsewhere.example' }, 'POST')).toBe(403)
  } finally {
    await web.close()
  }
})

it('makes a token where it can be reached from elsewhere, and wants to know its names', async () => {
  await expect(serveWeb(options('0.0.0.0'))).rejects.toMatchObject({ code: 'names_needed' })
  const named = { ...options('0.0.0.0'), allowedHosts: ['linker.example.org'] }
  const web = await serveWeb(named)
  try {
    expect(web.token).toMatch(/^[\w-]{32}$/)
    const url = `http://127.0.0.1:${new URL(web.url).port}`
    const Host = 'linker.example.org'
    expect(await statusAs(url, { Host })).toBe(401)
    expect(await statusAs(url, { Host, Authorization: `Bearer ${web.token ?? ''}` })).toBe(200)
  } finally {
    await web.close()
  }
})
