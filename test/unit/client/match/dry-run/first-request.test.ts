import { expect, it } from 'vitest'
import {
  firstRequest,
  urlWithoutSecrets,
} from '../../../../../src/client/match/dry-run/first-request.ts'

const query = { query: 'Amsterdam', types: [], limit: 5, properties: [] }

it('the first request carries the contact of who runs this', () => {
  const identity = { contact: 'me@example.org', version: '1.2.3' }
  const shown = firstRequest('https://example.org/api', ['0.2'], [query], identity)
  expect(shown).toMatchObject({
    method: 'POST',
    url: 'https://example.org/api',
    headers: {
      host: 'example.org',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': expect.stringMatching(/^record-linker\/1\.2\.3 \(me@example\.org\)/) as string,
    },
    body: 'queries=%7B%22q0%22%3A%7B%22query%22%3A%22Amsterdam%22%2C%22limit%22%3A5%7D%7D',
  })
  expect(Number(shown.headers['content-length'])).toBe(shown.body.length)
})

it.each([
  [
    'https://example.org/api?api_key=abc&lang=nl',
    'https://example.org/api?api_key=%28hidden%29&lang=nl',
  ],
  ['https://example.org/api?access_token=abc', 'https://example.org/api?access_token=%28hidden%29'],
  ['https://me:word@example.org/api', 'https://(hidden)@example.org/api'],
  ['https://example.org/api?lang=nl', 'https://example.org/api?lang=nl'],
])('of %s people are shown %s', (address, shown) => expect(urlWithoutSecrets(address)).toBe(shown))
