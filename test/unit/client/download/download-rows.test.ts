/** docs/download.md names a test or a section for each row of the document that it follows. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../../src/config.ts'

const doc = readFileSync(join(packageRoot, 'docs/download.md'), 'utf8')
const rows = [...doc.matchAll(/^\| (D\d+) +\|[^|]+\|([^|]+)\|$/gm)].map(([, row, held = '']) => ({
  row,
  held,
}))
const sections = [...doc.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
  title.toLowerCase().replaceAll(' ', '-'),
)

const rules = [...doc.matchAll(/^\| R(\d+) +\|[^|]+\|([^|]+)\|$/gm)].map(([, rule, held = '']) => ({
  rule: Number(rule),
  held,
}))

it('each rule of HTTP is there, once', () => {
  expect(rules.map(({ rule }) => rule)).toEqual(Array.from({ length: 39 }, (_, n) => n + 1))
})

it.each(rules)('rule $rule is named by tests of each file that its row names', ({ rule, held }) => {
  const files = [...held.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) =>
    name.includes('/') ? `test/${name}.test.ts` : `test/integration/download/${name}.test.ts`,
  )
  const named = new RegExp(`\\bit(?:\\.each)?\\([^]*?['"].*?rules? (?:\\d+(?:, | and ))*${rule}\\b`)
  const without = files.filter((file) => !named.test(readFileSync(join(packageRoot, file), 'utf8')))
  expect(files.length).toBeGreaterThan(0)
  expect(without).toEqual([])
})

it('each of the 18 bug reports is named by a test', () => {
  const folder = join(packageRoot, 'test/integration/download')
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const named = (report: number) =>
    new RegExp(`\\bit(?:\\.each)?\\([^]*?['"\`].*?cases? (?:\\d+(?:, | and ))*${report}\\b`).test(
      text,
    )
  const reports = Array.from({ length: 18 }, (_, index) => index + 1)
  expect(reports.filter((report) => !named(report))).toEqual([])
})

it('each row is there, once', () => {
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 30 }, (_, n) => `D${n + 1}`))
})

it.each(rows)('$row names tests that exist, or a section', ({ held }) => {
  const names = [...held.matchAll(/`((?:unit|integration|faults)\/[\w/-]+|[a-z]+-[a-z-]+)`/g)].map(
    ([, name = '']) => name,
  )
  const paths = names.map((name) =>
    name.includes('/') ? `test/${name}.test.ts` : `test/integration/download/${name}.test.ts`,
  )
  const linked = [...held.matchAll(/\]\(#([\w-]+)\)/g)].map(([, id]) => id)
  expect(paths.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
  expect(linked.filter((id) => id === undefined || !sections.includes(id))).toEqual([])
  expect(names.length + linked.length).toBeGreaterThan(0)
})
