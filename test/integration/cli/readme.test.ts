import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'
import { createCli } from '../../support/cli.ts'

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')

/** The text of the README's only block of this language. */
function block(language: string): string {
  const found = [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))]
  expect(found).toHaveLength(1)
  return found[0]?.[1] ?? ''
}

const cli = createCli()
afterAll(() => cli.remove())

it('the README’s five commands on your own file do what it says', async () => {
  const input = cli.file('shops.csv', block('csv'))
  const output = join(dirname(input), 'shops-matched.csv')
  const commands = block('sh').trim().split('\n')
  expect(commands).toHaveLength(5)
  for (const command of commands) {
    const [program, ...words] = command.match(/'[^']*'|\S+/g) ?? []
    expect(program).toBe('./record-linker')
    const paths = new Map([
      ['shops.csv', input],
      ['shops-matched.csv', output],
    ])
    const { code, stderr } = await cli.run(
      ...words.map((word) => paths.get(word) ?? word.replaceAll("'", '')),
    )
    expect(`${command} → ${code}\n${code === 0 ? '' : stderr}`).toBe(`${command} → 0\n`)
  }
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
  const original = block('csv').trimEnd().split('\n')
  expect(lines.map((line, index) => line.slice(0, original[index]?.length))).toEqual(original)
  expect(lines[0]).toContain(',match_qid,match_label,match_description,match_status')
  expect(lines.filter((line) => line.includes(',matched,record-linker,')).length).toBeGreaterThan(1)
  expect(lines.at(-1)).toContain('skipped')
})

it('the README is read in two minutes', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150)
})
