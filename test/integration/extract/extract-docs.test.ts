/** The walk of docs/extract.md, from a source to matches, by the lines that stand there. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { anyFreePort } from '../../../src/client/stack/free-port.ts'
import { packageRoot } from '../../../src/config.ts'
import { type Cli, createCli } from '../../support/cli.ts'
import type { RunningCommand } from '../../support/running-command.ts'

// A dozen processes, servers that start and end.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 400_000 })

const SECTION = '## From a source to matches'
const SETTING = /^export (\w+)='([^']*)'$/

let cli: Cli
/** The blocks of the section, with ports that are free here. */
let blocks: readonly { readonly language: string; readonly lines: readonly string[] }[]
const served = new Map<string, RunningCommand>()

beforeAll(async () => {
  const [, after = ''] = readFileSync(join(packageRoot, 'docs/extract.md'), 'utf8').split(SECTION)
  let [section = ''] = after.split('\n## ')
  for (const port of ['8001', '8002']) {
    section = section.replaceAll(port, String(await anyFreePort()))
  }
  blocks = [...section.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language = '', text = '']) => ({
    language,
    lines: text.trimEnd().split('\n'),
  }))
  const settings = blocks.flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const [, name, value] = SETTING.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  cli = createCli(Object.fromEntries(settings))
})
afterAll(() => cli.remove())

async function serve(words: readonly string[]): Promise<void> {
  const [program = ''] = words
  const before = served.get(program)
  before?.interrupt()
  await before?.ended
  const command = cli.start(...words)
  served.set(program, command)
  await command.until(/http:\/\/127/)
}

/** @returns what each command said, those that serve left out */
async function type(lines: readonly string[]): Promise<readonly string[]> {
  const said: string[] = []
  for (const line of lines.filter((one) => !SETTING.test(one))) {
    const [program, ...words] = line.split(' ')
    expect(program).toBe('./record-linker')
    if (words[0]?.startsWith('serve-')) await serve(words)
    else {
      const { code, stdout, stderr } = await cli.run(...words)
      if (code !== 0) throw new Error(`${line} ended with ${code}, expected 0:\n${stderr}`)
      said.push(`${stdout}${stderr}`)
    }
  }
  return said
}

it('reads the source, matches its users, and a day later only what has changed', async () => {
  const [serving, people, reading, nextDay, readingAgain, ...others] = blocks
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'jsonl', 'sh', 'sh', 'sh'])
  expect(others).toEqual([])
  const file = cli.file('people.jsonl', `${people?.lines.join('\n')}\n`)
  const matched = () => {
    const table = readFileSync(join(dirname(file), 'users-matched.csv'), 'utf8')
    const [head = '', ...rows] = table.trimEnd().split('\n')
    const at = head.split(',').indexOf('display_name')
    const found = rows.filter((row) => row.includes(',matched,record-linker,'))
    return { rows: rows.length, names: found.map((row) => row.split(',')[at]).toSorted() }
  }

  await type(serving?.lines ?? [])
  await type(reading?.lines ?? [])
  expect(matched()).toEqual({ rows: 40, names: ['Bo Dunne', 'Chen Ekholm', 'Goran Kessel'] })

  await type(nextDay?.lines ?? [])
  const [again, difference, match] = await type(readingAgain?.lines ?? [])
  expect(again).toMatch(/users\W+complete\W+40/)
  expect(difference).toContain('41')
  expect(match).toContain('2 records are due: 1 new, 1 with changed cells or mapping.')
  expect(matched()).toEqual({ rows: 40, names: ['Chen Ekholm', 'Dara Dunne', 'Goran Kessel'] })
})
