import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { describe, expect, inject, it } from 'vitest'

const offender = fileURLToPath(new URL('../../support/workflows/reads-a-file.ts', import.meta.url))

describe('the workflow bundle', () => {
  it('holds the workflows, src/core and the SDK, and nothing else of ours', async () => {
    const code = await readFile(inject('workflowBundlePath'), 'utf8')
    const modules = new Set(
      [...code.matchAll(/"\.\/src\/([a-z]+)\/[^"]+\.ts"/g)].map(([, name]) => name),
    )
    expect([...modules].toSorted()).toEqual(['core', 'workflows'])
    expect(code).not.toMatch(/node_modules\/(?:zod|pg|kysely|undici)\//)
  })

  it('cannot be made of code that reads files', async () => {
    const logged: string[] = []
    const logger = new DefaultLogger('ERROR', ({ message }) => logged.push(message))
    const bundle = bundleWorkflowCode({ workflowsPath: offender, logger })
    await expect(bundle).rejects.toThrow('Webpack finished with errors')
    expect(logged.join('\n')).toContain('node:fs')
  })
})
