import { expect, it } from 'vitest'
import { mayFetch, robotRules } from '../../../../src/core/download/robots-txt.ts'

const may = (text: string, path: string) =>
  mayFetch(robotRules(text), new URL(`https://files.example${path}`))

const forAll = (...rules: readonly string[]) => ['User-agent: *', ...rules].join('\n')

it.each([
  ['', '/a', true],
  [forAll('Disallow:'), '/a', true],
  [forAll('Disallow: /'), '/a', false],
  [forAll('Disallow: /a'), '/ab?c', false],
  [forAll('Disallow: /a/'), '/a', true],
  [forAll('Disallow: /', 'Allow: /public/'), '/public/x', true],
  [forAll('Disallow: /x', 'Allow: /x'), '/x', true],
  [forAll('Disallow: /*.pdf$'), '/papers/1.pdf', false],
  [forAll('Disallow: /*.pdf$'), '/papers/1.pdf?page=2', true],
  [forAll('Disallow: /*/private/*'), '/a/private/b', false],
  [forAll('Disallow: /x$'), '/xy', true],
  [forAll('Disallow: /a%62c'), '/abc', false],
  [forAll('Disallow: /a # a comment'), '/a', false],
  ['Disallow: /a', '/a', true],
  [`\uFEFFUSER-AGENT : *\r\nDISALLOW : /a\r\n`, '/a', false],
])('rule 32: %j and %s', (text, path, isAllowed) => {
  expect(may(text, path)).toBe(isAllowed)
})

it('rule 32: groups that name us stand in the place of those for everybody, and several are one', () => {
  const text = [
    forAll('Disallow: /'),
    'User-agent: other\nUser-agent: Record-Linker/1.0\nDisallow: /a',
    'User-agent: record-linker\nDisallow: /b',
  ].join('\n\n')
  expect(['/a', '/b', '/c'].map((path) => may(text, path))).toEqual([false, false, true])
})

it('rule 32: no pattern of stars takes long', () => {
  const text = forAll(`Disallow: /${'*a'.repeat(200)}$`)
  expect(may(text, `/${'a'.repeat(5_000)}b`)).toBe(true)
})
