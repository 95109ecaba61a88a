import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planForDataset } from '../../../src/client/import/import-plan.ts'
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

it('a trial counts what an import would do, duplicate ids too, and leaves everything as it was', async () => {
  await bench.import('tried', 'id,name\n1,A\n2,B\n3,C\n')
  const entries = () =>
    bench.db
      .selectFrom('entry')
      .innerJoin('dataset', 'dataset.id', 'entry.dataset_id')
      .where('dataset.name', '=', 'tried')
      .select(['external_id', 'entry.source', 'absent_since'])
      .orderBy('external_id')
      .execute()
  const before = await entries()
  const later = 'id,name\n1,A\n2,Bee\n4,D\n4,D again\n'
  const counts = { lines: 4, new: 1, changed: 1, unchanged: 1, absent: 1, rejected: 1 }
  expect(await bench.import('tried', later, { isTrial: true })).toMatchObject(counts)
  expect(await entries()).toEqual(before)
  expect(await bench.import('tried', later)).toMatchObject(counts)
  expect(await entries()).toHaveLength(4)
})

it('a trial of a dataset that does not exist yet does not make it', async () => {
  expect(await bench.import('never', 'id,name\n1,A\n', { isTrial: true })).toMatchObject({ new: 1 })
  expect(await bench.import('never', 'id,name\n1,A\n')).toMatchObject({ new: 1, unchanged: 0 })
})

it('a re-import reads the records by the mapping that is stored, and says when other flags would change it', async () => {
  const changes = { name: 'name' }
  const { datasetId } = await bench.import('mapped', 'id,name,title\n1,A,B\n')
  const first = await planForDataset(bench.db, 'mapped', changes)
  expect(first.notes).toEqual([])
  await first.after({
    ...(await bench.import('mapped', 'id,name,title\n1,A,B\n')),
    datasetId,
  })
  const again = await planForDataset(bench.db, 'mapped', undefined)
  expect(again).toMatchObject({ mapping: { mapping: { name: 'name' } }, notes: [] })
  expect((await planForDataset(bench.db, 'mapped', changes)).notes).toEqual([])
  const other = await planForDataset(bench.db, 'mapped', { name: 'title' })
  expect(other.notes).toEqual(['New projects of "mapped" will start with the mapping given now.'])
  const project = await bench.project(datasetId)
  expect((await planForDataset(bench.db, 'mapped', { name: 'title' })).notes).toEqual([
    expect.stringContaining(
      `keep theirs; to change one: ./record-linker project set ${project.id}`,
    ),
  ])
})
