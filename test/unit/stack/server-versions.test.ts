import { expect, it } from 'vitest'
import { isNewEnough, parseServerVersion } from '../../../scripts/set-up/temporal-server.mjs'
import { checkContact, checkNode } from '../../../src/client/doctor/local-checks.ts'
import { loadConfig } from '../../../src/config.ts'

it.each([
  ['temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)', true],
  ['temporal version 0.0.0-DEV (Server 1.28.0, UI 2.40.0)', true],
  ['temporal version 2.0.0 (Server 2.1.0, UI 3.0.0)', true],
  ['temporal version 1.3.0 (Server 1.27.1, UI 2.36.0)', false],
])('takes the program on PATH that says "%s": %s', (text, usable) => {
  const server = parseServerVersion(text)
  expect(server !== undefined && isNewEnough(server)).toBe(usable)
})

it('does not take a program of that name that says something else', () => {
  expect(parseServerVersion('temporal, the time tracker, 1.29')).toBeUndefined()
})

it.each([
  ['20.19.0', 'ok'],
  ['20.18.9', 'failed'],
  ['18.20.4', 'failed'],
  ['22.0.0', 'ok'],
])('the doctor says of Node %s: %s', (version, state) => {
  expect(checkNode(version)).toMatchObject({ state, actual: version })
})

it('the doctor does not fail for a missing contact, but says what it is for', () => {
  const check = checkContact(loadConfig({}))
  expect(check.state).toBe('note')
  expect(check.fix).toContain('RECORD_LINKER_CONTACT')
})
