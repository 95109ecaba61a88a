import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'

/** Needs a moment to end when it is interrupted, as npm does. */
const slowToEnd = `
const fs = require('node:fs')
process.on('SIGINT', () => setTimeout(() => { fs.writeFileSync('ended', ''); process.exit(1) }, 300))
fs.writeFileSync('begun', '')
setInterval(() => {}, 1000)`

it('a step that is interrupted has ended before the command has, so that the next start meets nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-linker-step-'))
  const module = join(packageRoot, 'scripts/set-up/run-step.mjs')
  const step = `
    const { runStep } = await import(${JSON.stringify(module)})
    await runStep('waiting', process.execPath, ['-e', ${JSON.stringify(slowToEnd)}], { cwd: ${JSON.stringify(folder)}, hint: '' })`
  const command = spawn(process.execPath, ['--input-type=module', '-e', step])
  const told = textOf(command)
  while (!existsSync(join(folder, 'begun'))) await new Promise((wake) => setTimeout(wake, 20))
  command.kill('SIGINT')
  const [code] = await once(command, 'exit')
  expect(existsSync(join(folder, 'ended'))).toBe(true)
  expect(code).toBe(130)
  expect(told()).toContain('Left; the same command begins this step again.')
  rmSync(folder, { recursive: true })
})

function textOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}
