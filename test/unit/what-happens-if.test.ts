/** docs/what-happens-if.md points at tests and names codes: both must be there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/config.ts'

const page = readFileSync(join(packageRoot, 'docs/what-happens-if.md'), 'utf8')
const answers = page.split(/^\*\*/m).slice(1)

it('each answer names tests that are there', () => {
  expect(answers.length).toBeGreaterThan(15)
  const named = answers.map((answer) => answer.match(/test\/[\w/-]+\.test\.ts/g) ?? [])
  expect(answers.filter((_, index) => named[index]?.length === 0)).toEqual([])
  expect(named.flat().filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
})

it('each code and each sentence that it quotes of an error is one of the program', () => {
  const codes = [...page.matchAll(/`\[(\w+)\]`/g)].map(([, code = '']) => code)
  expect(codes.length).toBeGreaterThan(4)
  const source = readdirSync(join(packageRoot, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const quoted = [
    ...codes.map((code) => `'${code}'`),
    'Joined the run that is going on.',
    'It killed the process that scored it, three times. Its neighbours are done.',
    'Make room and run the command again; what was committed is kept.',
    'No Temporal server answers at',
    'A server does not answer: ',
    'it asked us to wait',
    'waiting for the service since',
  ]
  expect(quoted.filter((text) => !source.includes(text))).toEqual([])
  expect(quoted.slice(codes.length).filter((text) => !flat(page).includes(text.trim()))).toEqual([])
})

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
