/** What undici makes of a connection that closes while its body is not read, which ended the process (nodejs/undici#5360). */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { typescriptArguments } from '../../../src/client/stack/node-program.ts'

const run = promisify(execFile)
const child = new URL('./unread-body-child.ts', import.meta.url)

const asked = (agent: 'plain' | 'patient', end: 'end' | 'cut') =>
  run(process.execPath, [...typescriptArguments(child), fileURLToPath(child), agent, end])

it('a host that closes after its whole body, while nobody reads, ends neither the process nor the body', async () => {
  expect((await asked('patient', 'end')).stdout).toBe('read 100000 of 100000\n')
})

it('a host that closes in the middle of its body, while nobody reads, fails the body and not the process', async () => {
  expect((await asked('patient', 'cut')).stdout).toMatch(/^failed: UND_ERR_/)
})

it('without the guard the process ends of it', async () => {
  await expect(asked('plain', 'end')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('assert(!this.paused)'),
  })
})
