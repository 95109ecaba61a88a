import { CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { errorText, exitCodeOf } from '../../../src/client/exit-codes.ts'
import { RecordLinkerError, UnavailableError, UsageError } from '../../../src/errors.ts'

const facts = { code: 'some_code', message: 'Found x; expected y.', hint: './record-linker z' }
const withCode = (code: string | number) => Object.assign(new Error('told'), { code })

it.each([
  [new UsageError(facts), 2],
  [new CommanderError(1, 'commander.unknownOption', 'told already'), 2],
  [new CommanderError(0, 'commander.helpDisplayed', ''), 0],
  [new UnavailableError(facts), 4],
  [new AggregateError([withCode('ECONNREFUSED')]), 4],
  [withCode('57P03'), 4],
  [withCode(14), 4],
  [withCode(4), 4],
  [new Error('Failed to describe', { cause: withCode(14) }), 4],
  [new Error('Connection terminated unexpectedly'), 4],
  [withCode('42P01'), 4],
  [withCode('ENOSPC'), 4],
  [withCode('53100'), 4],
  [new DOMException('stop', 'AbortError'), 130],
  [new RecordLinkerError(facts), 1],
  [new TypeError('bug'), 1],
])('%s ends with %i', (error, code) => expect(exitCodeOf(error)).toBe(code))

it('an error of ours is told with its next step and its code', () => {
  expect(errorText(new UsageError(facts))).toBe(
    'error: Found x; expected y.\n  ./record-linker z\n  [some_code]',
  )
})

it('a full disk, of this machine or of Postgres, is called so', () => {
  for (const [code, place] of [
    ['ENOSPC', ' on the disk'],
    ['53100', ': told'],
  ] as const) {
    expect(errorText(withCode(code))).toBe(
      `error: No space is left${place}.\n  Make room and run the command again; what was committed is kept.\n  [disk_full]`,
    )
  }
})

it('what commander has told is not told again, a bug is told with its place and without its message, which may quote a cell', () => {
  expect(errorText(new CommanderError(1, 'x', 'y'))).toBe('')
  const text = errorText(new TypeError('bug about Jane Doe'))
  expect(text).toMatch(/^unexpected error: TypeError at .*exit-codes\.test\.ts/)
  expect(text).not.toContain('Jane')
})
