import { expect, it } from 'vitest'
import { failedFiles, failedFilesText } from '../../../../src/client/download/failed-files.ts'

const group = { jobs: 3, example: 17, artifact: 'url:https://example.org/a', error: 'it said so' }
const of = (reason: string) => failedFiles('default', { ...group, reason })

it('another try is not advised where it can only end the same', () => {
  for (const reason of ['not-found', 'gone', 'bad-url', 'blocked-port']) {
    expect(of(reason).next).toEqual(['./record-linker download show 17'])
  }
  expect(of('server-error').next).toContain(
    './record-linker download retry-failed --reason server-error',
  )
})

it('a blocked address is told with the way to let it in', () => {
  const { next, advice } = failedFiles('papers', { ...group, reason: 'blocked-address' })
  expect(advice).toContain('--allow-address')
  expect(next).toEqual([
    './record-linker download show 17 --queue papers',
    './record-linker download retry-failed --reason blocked-address --queue papers',
    './record-linker download run --drain --queue papers --allow-address 10.0.0.0/8',
  ])
})

it('each kind is told with how many there are, one of them, and what was said', () => {
  expect(failedFilesText(of('not-found'))).toMatch(
    /^ {2}not-found: 3, such as 17 \(url:https:\/\/example.org\/a\): it said so\n {4}The host has no/,
  )
})
