import { describe, expect, it } from 'vitest'
import { domainKey } from '../../../src/core/domain-key.ts'

describe('step 1: domainKey (B25 of research/limiter.md §5.2)', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:443', 'example.com'],
    ['http://example.com:80/a?b#c', 'example.com'],
    ['https://user:secret@EXAMPLE.com/x', 'example.com'],
    ['HÁČKY.cz', 'xn--hky-ela4t.cz'],
    ['https://xn--hky-ela4t.cz/', 'xn--hky-ela4t.cz'],
    ['[::1]:8080', '[::1]:8080'],
    ['http://[0:0:0:0:0:0:0:1]:8080/', '[::1]:8080'],
    ['127.1', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]:81/', '127.0.0.1:81'],
    ['localhost:8080', 'localhost:8080'],
    ['ex%61mple.com', 'example.com'],
    [' https://www.wikidata.org/w/api.php ', 'www.wikidata.org'],
  ])('%s is %s', (url, key) => {
    expect(domainKey(url)).toBe(key)
  })

  it('keeps a port that is not the default of the scheme', () => {
    expect(domainKey('http://example.com:443/')).toBe('example.com:443')
    expect(domainKey('https://example.com:8443/')).toBe('example.com:8443')
  })

  it.each(['::1', 'example.com..', 'a..b', '', 'ftp://example.com', 'mailto://x', 'a b'])(
    'rejects %j loudly',
    (url) => {
      expect(() => domainKey(url)).toThrow(/names no host; expected/)
    },
  )

  // Of the Public Suffix List, the other half of V19, nothing applies: domains are not grouped.
  it.each([
    ['http://192.0x00A80001', '192.168.0.1'],
    ['http://0Xc0.0250.01', '192.168.0.1'],
    ['http://www.foo。bar.com', 'www.foo.bar.com'],
    ['http://Ｇｏ.com', 'go.com'],
    ['http://GOO\u200b\u2060\ufeffgoo.com', 'googoo.com'],
    ['http://[::127.0.0.1]', '[::7f00:1]'],
    ['http://a\u00ADb', 'ab'],
    ['http://aa--', 'aa--'],
    ['http://-x.ß', '-x.xn--zca'],
    ['http://\u064A.', 'xn--mhb'],
    ['http://≠', 'xn--1ch'],
  ])('V19: %s of the URL standard’s tests is %s', (url, key) => {
    expect(domainKey(url)).toBe(key)
  })

  it.each([
    'http://256.256.256.256',
    'http://4294967296',
    'http://[::1.2.3]',
    'http://hello%00',
    'http://%zz%66%a.com',
    'http://％４１.com',
    'http://xn--a',
    'http://يa',
    'http://\uFFFD.com',
    'http://x..xn--zca',
  ])('V19: %s is no host', (url) => {
    expect(() => domainKey(url)).toThrow(/names no host; expected/)
  })

  it('gives its own key for a key', () => {
    for (const url of ['http://[::ffff:1.2.3.4]:81/', 'Example.COM.', '[::1]:80']) {
      expect(domainKey(domainKey(url))).toBe(domainKey(url))
    }
  })

  it('keeps secrets of a bad address out of the message', () => {
    expect(() => domainKey('ftp://user:secret@example.com/x?key=secret')).toThrow(
      '"ftp://example.com/x" names no host',
    )
  })
})
