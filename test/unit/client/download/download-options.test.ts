import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wantedOptions } from '../../../../src/client/download/download-options.ts'
import { defaultQueueOptions } from '../../../../src/core/download/queue-options.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-linker-options-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (content: string) => {
  const path = join(folder, 'queue.json')
  writeFileSync(path, content)
  return path
}
const queue = 'default'

it('nothing said is the default of a new queue, and leaves another as it is', async () => {
  expect(await wantedOptions({ queue }, undefined)).toEqual(defaultQueueOptions)
  expect(await wantedOptions({ queue }, { ...defaultQueueOptions, maxPerHost: 1 })).toBeUndefined()
})

it('flags change a queue, a file says all of it, and flags stand above the file', async () => {
  const before = { ...defaultQueueOptions, maxPerHost: 1, maxWorkers: 3 }
  expect(await wantedOptions({ queue, maxPerHost: 2 }, before)).toEqual({
    ...before,
    maxPerHost: 2,
  })
  const config = file('{"maxPerHost": 7, "doiResolver": "https://doi.example/"}')
  expect(await wantedOptions({ queue, config, maxAttempts: 9 }, before)).toEqual({
    ...defaultQueueOptions,
    maxPerHost: 7,
    maxAttempts: 9,
    doiResolver: 'https://doi.example',
  })
})

it('all faults of a configuration are told at once', async () => {
  const config = file(
    '{"maxWorkers": 0, "maxPerResolver": {"doi": -1}, "store": "/data", "templates": {"a": "x"}, "chunkBytes": 9, "speed": 1}',
  )
  const fault = await wantedOptions({ queue, config }, undefined).catch((error: unknown) => error)
  expect(fault).toMatchObject({ code: 'bad_config' })
  for (const name of [
    'maxWorkers',
    'maxPerResolver.doi',
    'store',
    'templates.a',
    'chunkBytes',
    'speed',
  ]) {
    expect(String(fault)).toContain(name)
  }
})

it('what is no JSON object is told as that', async () => {
  for (const content of ['[1]', '{', '"x"']) {
    await expect(wantedOptions({ queue, config: file(content) }, undefined)).rejects.toMatchObject({
      code: 'config_not_readable',
    })
  }
})
