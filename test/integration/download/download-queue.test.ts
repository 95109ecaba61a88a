/** Files from a queue into the store, by a real worker, from a host that counts for itself. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { type FileOrigin, startFileOrigin } from '../../support/file-origin.ts'
import { openQueue } from './queue-site.ts'

vi.setConfig({ testTimeout: 240_000 })

let server: MatchServer
let origin: FileOrigin
beforeAll(async () => {
  server = await startMatchServer()
  origin = await startFileOrigin()
})
afterAll(async () => {
  await origin.close()
  await server.close()
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

it('fetches each file once, whole, and ends when nothing is left', async () => {
  const queue = await openQueue(server)
  for (const name of ['a', 'b', 'c']) origin.serve(`/one/${name}.txt`, { body: `file ${name}` })
  await queue.add(...['a', 'b', 'c', 'a'].map((name) => origin.url(`/one/${name}.txt`)))
  await queue.drain()

  const jobs = await queue.jobs()
  expect(jobs.map(({ state, reason, last_error: error }) => [state, reason, error])).toEqual(
    Array.from({ length: 3 }, () => ['done', null, null]),
  )
  expect(jobs.map((job) => job.sha256)).toEqual(
    ['a', 'b', 'c'].map((name) => sha256(`file ${name}`)),
  )
  expect(jobs.map((job) => queue.stored(job.sha256 ?? '').toString())).toEqual([
    'file a',
    'file b',
    'file c',
  ])
  expect(origin.requests().filter(({ path }) => path.startsWith('/one/'))).toHaveLength(3)
  expect(queue.parts()).toEqual([])
})
