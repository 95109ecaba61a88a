import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shownOptions } from '../../../../src/client/download/show-options.ts'
import { packageRoot } from '../../../../src/config.ts'
import { defaultQueueOptions } from '../../../../src/core/download/queue-options.ts'

it('every setting is shown with its value, and whether it is the default', () => {
  const shown = Object.fromEntries(
    shownOptions({
      ...defaultQueueOptions,
      maxPerHost: 2,
      allowedPorts: [8080],
      backoffMs: [...defaultQueueOptions.backoffMs],
    }),
  )
  expect(Object.keys(shown)).toEqual(Object.keys(defaultQueueOptions))
  expect(shown['maxPerHost']).toEqual({ value: 2, source: 'queue' })
  expect(shown['allowedPorts']).toEqual({ value: [8080], source: 'queue' })
  expect(shown['backoffMs']?.source).toBe('default')
})

it('every setting is documented', () => {
  const doc = readFileSync(join(packageRoot, 'docs/download.md'), 'utf8')
  const missing = Object.keys(defaultQueueOptions).filter((name) => !doc.includes(`\`${name}\``))
  expect(missing.filter((name) => name !== 'resolverDefault')).toEqual([])
})
