import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { main } from '../../../src/client/cli.ts'
import { asksForJson, errorJson } from '../../../src/client/error-json.ts'
import { UsageError } from '../../../src/errors.ts'

let told = ''
beforeEach(() => {
  told = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text)
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

describe('a command line that is wrong', () => {
  it.each([
    [['start-match', '--prject', '123'], "unknown option '--prject'\n(Did you mean --project?)"],
    [['start-match', '123'], '(Did you mean --project 123?)'],
    [['match', 'start', '123'], '(Did you mean --project 123?)'],
    [['explain', '--project', '1', '--entri', '7'], 'Did you mean --entry?'],
    [['start-match', 'all'], 'too many arguments'],
    [['start-match'], "required option '--project <id>' not specified"],
    [['explain', '--project', '1'], "required option '--entry <id>' not specified"],
  ])('%j is told what is wrong with what was typed first', async (argv, text) => {
    expect(await main(argv)).toBe(2)
    expect(told).toContain(text)
  })
  it('is told in one line of JSON where JSON was asked for', async () => {
    expect(await main(['start-match', '--prject', '123', '-o', 'json'])).toBe(2)
    expect(JSON.parse(told)).toEqual({
      error: {
        code: 'unknown_option',
        message: expect.stringContaining('--prject'),
      },
    })
  })
  it('tells an error of ours so too', async () => {
    expect(await main(['judgments', 'import', '/none', '--project', '1', '-o', 'json'])).toBe(2)
    expect(JSON.parse(told)).toMatchObject({
      error: { code: 'file_not_readable', hint: expect.stringContaining('Check the path') },
    })
  })
})

it('JSON is asked for in every spelling of the option', () => {
  for (const argv of [['-o', 'json'], ['-ojsonl'], ['--output', 'json'], ['--output=jsonl']])
    expect(asksForJson(argv)).toBe(true)
  for (const argv of [['-o', 'text'], ['-o', 'a.json'], ['json'], ['-o']])
    expect(asksForJson(argv)).toBe(false)
})

it('an error as JSON has code, message and hint, and a bug no data', () => {
  const facts = { code: 'some_code', message: 'Found x.', hint: 'do y' }
  expect(JSON.parse(errorJson(new UsageError(facts)))).toEqual({ error: facts })
  expect(errorJson(new TypeError('about Jane'))).toMatch(/"code":"unexpected"/)
  expect(errorJson(new TypeError('about Jane'))).not.toContain('Jane')
})
