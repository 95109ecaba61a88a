import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { requestGuard } from '../../../src/web/guard/request-guard.ts'
import { problemResponse, toProblem } from '../../../src/web/problem.ts'

function guarded(token: string | null = null) {
  const app = new Hono()
  app.use(requestGuard({ hosts: ['localhost', '127.0.0.1', '[::1]'], token }))
  app.all('*', (c) => c.text('let in'))
  app.onError((error) => problemResponse(toProblem(error)))
  return async (method: string, headers: Record<string, string>, path = '/projects') => {
    const answer = await app.request(path, {
      method,
      headers: { Host: 'localhost:8533', ...headers },
    })
    const text = await answer.text()
    return answer.status === 200
      ? text
      : `${answer.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`
  }
}

it.each(['localhost', 'LOCALHOST:8533', '127.0.0.1:1', '[::1]:8533'])(
  'answers as %s',
  async (Host) => {
    expect(await guarded()('GET', { Host })).toBe('let in')
  },
)

it.each([
  'rebound.example:8533',
  'localhost.example',
  '127.0.0.1.example',
  '',
  'a b',
  '192.168.0.1',
])('does not answer as "%s", as which a page of another site could reach it', async (Host) => {
  expect(await guarded()('GET', { Host })).toBe('403 foreign_host')
})

it.each([
  { Origin: 'https://elsewhere.example' },
  { Origin: 'http://localhost:1' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'http://other.localhost:8533' },
  { 'Sec-Fetch-Site': 'none', Origin: 'https://elsewhere.example' },
])('changes nothing for %j', async (headers) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    expect(await guarded()(method, headers as Record<string, string>)).toBe('403 foreign_origin')
  }
})

it.each([
  {},
  { Origin: 'http://localhost:8533', 'Sec-Fetch-Site': 'same-origin' },
  { Origin: 'http://localhost:8533' },
  { 'Sec-Fetch-Site': 'none' },
])('changes something for %j: its own page, or no browser', async (headers) => {
  expect(await guarded()('POST', headers as Record<string, string>)).toBe('let in')
})

it('asks nobody outside for a page of another site: its pictures and searches would spend permits', async () => {
  const ask = guarded()
  for (const path of ['/p/1/picture/Q1', '/p/1/search?item=a', '/projects/1/items?text=a']) {
    expect(await ask('GET', { 'Sec-Fetch-Site': 'cross-site' }, path)).toBe('403 foreign_origin')
    expect(await ask('GET', { 'Sec-Fetch-Site': 'same-origin' }, path)).toBe('let in')
  }
  expect(await ask('GET', { 'Sec-Fetch-Site': 'cross-site' }, '/p/1')).toBe('let in')
})

it('asks for a token where there is one, and takes it from the header or the cookie', async () => {
  const ask = guarded('secret')
  expect(await ask('GET', {})).toBe('401 token_required')
  expect(await ask('GET', { Authorization: 'Bearer other' })).toBe('401 token_required')
  expect(await ask('GET', { Authorization: 'Bearer secret' })).toBe('let in')
  expect(await ask('GET', { Cookie: 'record_linker_token=secret' })).toBe('let in')
  expect(await ask('GET', { Accept: 'text/html' })).toBe('303 ')
})
