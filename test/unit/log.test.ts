import { expect, it } from 'vitest'
import { OutsideCallError } from '../../src/errors.ts'
import { loggedError } from '../../src/log.ts'
import { canariesIn } from '../support/canaries.ts'

const fromPostgres = Object.assign(new Error('invalid input syntax for type integer: "Canary"'), {
  name: 'error',
  severity: 'ERROR',
  code: '22P02',
  detail: 'Canary',
})

function jsonError(): Error {
  try {
    return new Error(String(JSON.parse('Canary')))
  } catch (error) {
    return error as Error
  }
}

it.each([
  ['Postgres', fromPostgres],
  ['a parser', jsonError()],
  ['a cause of another', new TypeError('it broke', { cause: fromPostgres })],
  [
    'the answer of a service',
    new OutsideCallError({
      kind: 'transient',
      code: 'server_error',
      message: 'http://127.0.0.1/ answered 500 (server_error); expected 200 with JSON.',
      bodyHead: 'Canary',
    }),
  ],
])('an error of %s is logged without the values it quotes', (_, error) => {
  const logged = JSON.stringify(loggedError(error))
  expect(canariesIn(logged)).toEqual([])
  expect(logged).toContain('log.test.ts')
})

it('any other error keeps its message', () => {
  expect(loggedError(new Error('connect ECONNREFUSED 127.0.0.1:7233'))).toMatchObject({
    type: 'Error',
    message: 'connect ECONNREFUSED 127.0.0.1:7233',
  })
})
