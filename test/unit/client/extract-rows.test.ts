/** docs/extract.md names a test or a section for each row of the document that it follows. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/config.ts'

const doc = readFileSync(join(packageRoot, 'docs/extract.md'), 'utf8')
const rows = [...doc.matchAll(/^\| (E\d+) +\|[^|]+\|([^|]+)\|$/gm)].map(([, row, held = '']) => ({
  row,
  held,
}))

it('each row is there, once', () => {
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 18 }, (_, n) => `E${n + 1}`))
})

it.each(rows)('$row names tests that exist, or a section', ({ held }) => {
  const names = [...held.matchAll(/`((?:unit|faults)\/[\w/-]+|[a-z]+-[a-z-]+)`/g)].flatMap(
    ([, name = '']) => (name.startsWith('-') ? [] : [name]),
  )
  const paths = names.map((name) =>
    name.includes('/') ? `test/${name}.test.ts` : `test/integration/extract/${name}.test.ts`,
  )
  expect(paths.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([])
  expect(names.length > 0 || held.includes('](#')).toBe(true)
})
