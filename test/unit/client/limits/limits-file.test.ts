import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepLimitsFile } from '../../../../src/client/limits/kept-limits-file.ts'
import {
  fileLayers,
  limitsPlace,
  parseLimits,
  readLimitsFile,
} from '../../../../src/client/limits/limits-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'record-linker-limits-'))
afterAll(() => rmSync(folder, { recursive: true }))

const PATH = '/home/limits.json'
const parse = (value: unknown) => parseLimits(JSON.stringify(value), PATH)

it('applies wildcards from the widest to the narrowest, then the domain itself', () => {
  const file = parse({
    'a.example.org': { maxRps: 1 },
    '*.example.org': { maxRps: 2, maxInFlight: 2 },
    '*.org': { maxRps: 3, maxInFlight: 3, minSpacingMs: 3 },
  })
  expect(file.problems).toEqual([])
  const sources = (domain: string) => fileLayers(file, domain).map(({ source }) => source)
  expect(sources('a.example.org')).toEqual([
    'limits.json, *.org',
    'limits.json, *.example.org',
    'limits.json, a.example.org',
  ])
  expect(sources('b.a.example.org')).toEqual(['limits.json, *.org', 'limits.json, *.example.org'])
  expect(sources('example.org')).toEqual(['limits.json, *.org'])
  expect(sources('badexample.org')).toEqual(['limits.json, *.org'])
  expect(sources('a.example.org:8080')).toEqual([])
  expect(sources('example.com')).toEqual([])
})

it('takes keys as people spell them', () => {
  const file = parse({
    'https://Example.ORG./path': { maxRps: 1 },
    '*.HÁČKY.cz': { maxRps: 1 },
    '[0:0::1]:8080': {},
  })
  expect(file.entries.map(({ pattern }) => pattern)).toEqual([
    'example.org',
    '*.xn--hky-ela4t.cz',
    '[::1]:8080',
  ])
})

it('names all that is wrong with path and key, and keeps the good part', () => {
  const file = parse({
    'example.org': { maxRps: 0, maxInFlight: 2, minRsp: 1 },
    'EXAMPLE.org': { maxRps: 3 },
    'a b': {},
    '*': { maxRps: 1 },
    'other.org': 5,
    'rates.org': { minRps: 9, maxRps: 3 },
  })
  expect(file.entries).toEqual([
    { pattern: 'example.org', override: { maxInFlight: 2 } },
    { pattern: 'rates.org', override: { maxRps: 3 } },
  ])
  expect(file.problems).toEqual([
    '/home/limits.json, "example.org": maxRps: found 0, expected a number from 0.0001 to 10000',
    '/home/limits.json, "example.org": minRsp: is no field, expected minRps',
    '/home/limits.json, "EXAMPLE.org": names example.org a second time; the first is used',
    '/home/limits.json, "a b": expected a host, a URL, or *. and a host',
    '/home/limits.json, "*": expected a host, a URL, or *. and a host',
    '/home/limits.json, "other.org": found "5", expected fields like {"maxRps": 5}',
    '/home/limits.json, "rates.org": minRps: found 9, expected at most 3, to fit maxRps 3',
  ])
})

it.each([
  ['{"example.org": {"maxRps": 5}', '{\\"example.org'],
  ['[1]', '"[1]"'],
  ['null', '"null"'],
  ['', 'nothing'],
])('%j is no file of limits', (text, found) => {
  const { entries, problems } = parseLimits(text, PATH)
  expect(entries).toEqual([])
  expect(problems).toEqual([expect.stringContaining(`${PATH}: found `)])
  expect(problems[0]).toContain(found)
})

it('may be missing, unless somebody named it', () => {
  const home = join(folder, 'empty')
  const own = limitsPlace({ home, limitsFile: undefined })
  expect(own).toEqual({ path: join(home, 'limits.json'), mustExist: false })
  expect(readLimitsFile(own)).toMatchObject({ entries: [], problems: [] })
  const named = limitsPlace({ home, limitsFile: join(home, 'mine.json') })
  const problem = `${join(home, 'mine.json')}: there is no such file or folder`
  expect(readLimitsFile(named).problems).toEqual([problem])
})

it('is read again when it changes; a broken one changes nothing', async () => {
  const place = { path: join(folder, 'limits.json'), mustExist: false }
  let seen = 0
  let told = (): void => undefined
  const onChange = () => {
    seen += 1
    told()
  }
  const kept = keepLimitsFile(place, { onChange, lookEveryMs: 10 })
  const write = async (text: string) => {
    const changed = new Promise<void>((resolve) => {
      told = resolve
    })
    writeFileSync(place.path, text)
    await changed
  }
  try {
    expect(kept.policyFor('example.org')).toMatchObject({ maxRps: 20 })
    await write('{"example.org": {"maxRps": 5}}')
    expect(kept.policyFor('example.org')).toMatchObject({ maxRps: 5, initialRps: 1 })
    await write('{"example.org": {"maxRps"')
    expect(kept.policyFor('example.org')).toMatchObject({ maxRps: 5 })
    expect(kept.current().problems).toHaveLength(1)
    await write('{}')
    expect(kept.policyFor('example.org')).toMatchObject({ maxRps: 20 })
    expect(seen).toBeGreaterThanOrEqual(3)
  } finally {
    kept.close()
  }
})
