import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processArguments, processEnv } from '../../../src/client/stack/process-sizes.ts'
import { packageRoot } from '../../../src/config.ts'

const textOf = (name: string) => readFileSync(join(packageRoot, name), 'utf8')

it('the command, the image and the programs of the stack begin with the same sizes', () => {
  for (const [name, value] of Object.entries(processEnv)) {
    expect(textOf('record-linker')).toContain(`${name}=\${${name}:-${value}}`)
    expect(textOf('Dockerfile.worker')).toContain(`${name}=${value} `)
  }
  const [flag = ''] = processArguments
  expect(textOf('record-linker')).toContain(`exec node ${flag} "$(dirname`)
  expect(textOf('Dockerfile.worker')).toContain(`NODE_OPTIONS=${flag} `)
})
