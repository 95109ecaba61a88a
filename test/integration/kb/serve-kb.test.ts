import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAM = `
import { Command } from 'commander'
import { register } from './src/client/commands/serve-kb.ts'
const program = new Command()
register(program)
await program.parseAsync(['node', 'record-linker', ...process.argv.slice(1)])
`

let folder: string
let child: ChildProcess | undefined
let written = { stdout: '', stderr: '' }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-kb-'))
  written = { stdout: '', stderr: '' }
})

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true })
})

function run(...args: readonly string[]): ChildProcess {
  const started = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, '--', 'serve-kb', ...args],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  started.stdout.on('data', (chunk) => (written.stdout += String(chunk)))
  started.stderr.on('data', (chunk) => (written.stderr += String(chunk)))
  child = started
  return started
}

async function urlOf(started: ChildProcess): Promise<string> {
  for (;;) {
    const url = /at (http:\/\/\S+?)[,.]? /.exec(written.stderr)?.[1]
    if (url !== undefined) return url
    await Promise.race([
      once(started.stderr ?? started, 'data'),
      once(started, 'exit').then(() => {
        throw new Error(`serve-kb ended: ${written.stderr}`)
      }),
    ])
  }
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'serves a file until %s and ends cleanly',
  async (signal) => {
    const file = join(folder, 'kb.jsonl')
    await writeFile(file, '{"qid":"A1","label":"Acme"}\nnot json\n')
    const started = run(file, '--limit', '5', '--batch-size', '3')
    const url = await urlOf(started)
    const manifest: unknown = await (await fetch(url)).json()
    expect(manifest).toMatchObject({ versions: ['0.2'], batchSize: 3 })
    started.kill(signal)
    const [code] = (await once(started, 'exit')) as [number | null]
    expect(code).toBe(0)
    expect(written.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
    expect(written.stderr).toContain(`${file}:2: left out, not JSON`)
    expect(written.stderr).toContain('Serving 1 item of')
    expect(written.stderr).toContain(`curl -s ${url} --data-urlencode`)
    expect(written.stderr).toContain(`./record-linker project create --service ${url}`)
  },
)

it('refuses a port that is no port', async () => {
  const started = run('kb.jsonl', '--port', '99999')
  const [code] = (await once(started, 'exit')) as [number | null]
  expect(code).not.toBe(0)
  expect(written.stderr).toContain('expected a whole number from 0 to 65535')
})
