import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refreshProjects } from '../../../src/client/import/refresh-projects.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

const ROWS = 50_000
const NEW = 500
const CHANGED = 300

let bench: ImportBench
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())

/** Every hundredth name needs quotes, every seventh line is quoted without need, every 160th name may change. */
function line(index: number, isChanged = false): string {
  const name = `Name ${index}${index % 100 === 0 ? ', "the" one' : ''}${isChanged ? ' (new)' : ''}`
  const cells = [`id-${index}`, name, index % 2 === 0 ? 'nl' : 'be']
  return stringify([cells], { quoted: index % 7 === 0 })
}

it(`of ${ROWS} records imported again, ${NEW} new and ${CHANGED} changed ones are found, and every other exported line is the same`, async () => {
  const header = 'id,name,country\n'
  const first = Array.from({ length: ROWS }, (_, index) => line(index))
  const one = await bench.import('big', header + first.join(''))
  expect(one).toMatchObject({ lines: ROWS, new: ROWS, rejected: 0 })
  const project = await bench.project(one.datasetId)
  const before = (await bench.export(project)).split('\n')
  expect(before).toHaveLength(ROWS + 2)
  expect(
    before.slice(1, -1).every((text, index) => text.startsWith(first[index]?.trimEnd() ?? '?')),
  ).toBe(true)

  // New records stand between the old ones, so that all positions move.
  const isChanged = (index: number) => index % 160 === 0 && index < 160 * CHANGED
  const second = first.flatMap((text, index) => [
    ...(index % 100 === 50 ? [line(ROWS + index)] : []),
    isChanged(index) ? line(index, true) : text,
  ])
  const two = await bench.import('big', header + second.join(''))
  expect(two).toMatchObject({
    lines: ROWS + NEW,
    new: NEW,
    changed: CHANGED,
    unchanged: ROWS - CHANGED,
    absent: 0,
    rejected: 0,
  })
  expect(await refreshProjects(bench.db, [project])).toEqual([
    { project: project.id, new: NEW, changed: CHANGED },
  ])

  const after = (await bench.export(project)).split('\n')
  expect(after).toHaveLength(ROWS + NEW + 2)
  const known = new Set(before)
  const added = after.filter((text) => !known.has(text))
  expect(added).toHaveLength(NEW + CHANGED)
  expect(after.filter((text) => known.has(text))).toEqual(
    before.filter((_, index) => index === 0 || index > ROWS || !isChanged(index - 1)),
  )
  expect(await bench.export(project)).toBe(after.join('\n'))
})
