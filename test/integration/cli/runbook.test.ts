/** Every command of docs/runbook.md, in its order, on the sample. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'
import { createCli } from '../../support/cli.ts'

const runbook = readFileSync(join(packageRoot, 'docs/runbook.md'), 'utf8')
const tasks = [...runbook.matchAll(/^## (\d+\. .*)$/gm)].map(([, title]) => title)
const commands = [...runbook.matchAll(/^\.\/record-linker (.*)$/gm)].map(([, line = '']) => line)
/** Some thirty commands one after the other, also on a machine that does much else. */
const EACH_COMMAND_MS = 600_000

const cli = createCli({}, { sharesProcesses: true })
afterAll(() => cli.remove())

it('the runbook has the ten commonest tasks', () => {
  expect(tasks).toHaveLength(10)
  expect(commands.length).toBeGreaterThan(20)
  // Nothing else is there to be copied.
  const blocks = [...runbook.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
    text.trim(),
  )
  expect(blocks.flatMap((text) => text.split('\n'))).toEqual(
    commands.map((command) => `./record-linker ${command}`),
  )
})

it(
  'every command of the runbook does what it is there for',
  async () => {
    // What the pages speak of: the sample with its service, and a queue of files.
    await cli.data('start-match', '--project', '123', '--sample', '5')
    const { domains } = JSON.parse(await cli.data('limits', '-o', 'json')) as {
      domains: readonly { readonly domain: string }[]
    }
    const service = domains[0]?.domain ?? ''
    await cli.data('download', 'enqueue', `http://${service}/`, '--allow-address', '127.0.0.0/8')
    for (const command of commands) {
      // So that there is a run that can be held.
      if (command.startsWith('pause-match')) {
        await cli.run('status', '--project', '123', '--wait')
        await cli.data('limits', 'pause', service)
        await cli.run('start-match', '--project', '123', '--refresh-older-than', '0d', '--detach')
      }
      if (command.startsWith('resume-match')) await cli.data('limits', 'resume', service)
      const words = command.match(/"[^"]*"|\S+/g) ?? []
      const given = words.map((word) =>
        word.replace('service.example.org', service).replaceAll('"', ''),
      )
      const { code, stderr } = await cli.run(...given)
      expect(`${command} → ${code}\n${code === 0 ? '' : stderr}`).toBe(`${command} → 0\n`)
    }
  },
  EACH_COMMAND_MS,
)
