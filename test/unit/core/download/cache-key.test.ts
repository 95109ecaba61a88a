import { expect, it } from 'vitest'
import { cacheKeyText, varyKeyText } from '../../../../src/core/download/cache-key.ts'

it('an address without its fragment is one key, whatever way it is written', () => {
  const keys = [
    'https://Example.org/a?b=c',
    'https://example.org:443/a?b=c#page=2',
    'https://example.org/./a?b=c',
  ].map((url) => cacheKeyText({ url }))
  expect(new Set(keys).size).toBe(1)
  expect(cacheKeyText({ url: 'https://example.org/a?b=d' })).not.toBe(keys[0])
})

it('requests that an answer does not tell apart have one key', () => {
  const url = 'https://example.org/'
  const key = (headers: Record<string, string>, vary: string) => varyKeyText({ url, headers }, vary)
  expect(key({ Accept: 'a,  b' }, 'accept')).toBe(key({ accept: 'a, b' }, 'Accept , ACCEPT'))
  expect(key({ Accept: 'a' }, 'Accept')).not.toBe(key({ Accept: 'b' }, 'Accept'))
  expect(key({ Accept: 'a' }, 'Accept-Language')).toBe(key({ Accept: 'b' }, 'Accept-Language'))
  expect(key({}, 'Accept, Accept-Language')).toBe(key({}, 'Accept-Language,Accept'))
  expect(key({}, 'Cookie')).toBe(key({}, 'cookie'))
  expect(key({ Cookie: 'x' }, 'Cookie')).toBeUndefined()
  expect(key({}, '*')).toBeUndefined()
})
