import { expect, it } from 'vitest'
import { withCredentials } from '../../../src/activities/plan-credentials.ts'

const secrets = {
  'basic.example': 'me:secret',
  'bearer.example': 'token',
  'key.example': 'X-Api-Key: secret',
  'own.example': 'Range: bytes=0-1',
}

it.each([
  ['https://basic.example/a', { authorization: 'Basic bWU6c2VjcmV0' }],
  ['https://bearer.example/a', { authorization: 'Bearer token' }],
  ['https://key.example/a', { 'x-api-key': 'secret' }],
  ['https://other.example/a', undefined],
  ['https://basic.example.other.example/a', undefined],
  ['https://basic.example:8443/a', undefined],
])('a secret is sent to its host as its form says: %s', (url, headers) => {
  expect(withCredentials({ url }, secrets)).toEqual(
    headers === undefined ? { url } : { url, headers },
  )
})

it('a secret never becomes a header that says how a request is read', () => {
  const { headers } = withCredentials({ url: 'https://own.example/a', headers: {} }, secrets)
  expect(Object.keys(headers ?? {})).toEqual(['authorization'])
})

it('a secret does not cross a network unencrypted, and no message has it', () => {
  const sent = () => withCredentials({ url: 'http://basic.example/a' }, secrets)
  expect(sent).toThrowError(expect.objectContaining({ reason: 'credentials-unencrypted' }))
  expect(sent).not.toThrowError(/secret|me:/)
  const local = { url: 'http://127.0.0.1:1/a', headers: {} }
  expect(withCredentials(local, { '127.0.0.1:1': 't' }).headers).toEqual({
    authorization: 'Bearer t',
  })
})
