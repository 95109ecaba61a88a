import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyMapping } from '../../../src/client/mapping/apply-mapping.ts'
import { findDataset } from '../../../src/db/datasets.repo.ts'
import { createImportBench, type ImportBench } from '../../support/import-bench.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(() => bench.close())

const sourcesOf = async (datasetId: number) =>
  bench.db
    .selectFrom('entry')
    .where('dataset_id', '=', datasetId)
    .select(['external_id', 'position', 'source', 'raw', 'absent_since'])
    .orderBy('position')
    .execute()

const counts = ({
  new: fresh,
  changed,
  unchanged,
  absent,
  rejected,
}: Awaited<ReturnType<ImportBench['import']>>) => [fresh, changed, unchanged, absent, rejected]

describe('records of a file', () => {
  it('case 1: blank cells are imported like any others', async () => {
    const report = await bench.import('blank', 'id,name\n1,\n2,   \n3,\u00a0\n4,Ikea\n')
    expect(counts(report)).toEqual([4, 0, 0, 0, 0])
    const rows = await sourcesOf(report.datasetId)
    expect(rows.map((row) => row.source['name'])).toEqual(['', '   ', '\u00a0', 'Ikea'])
  })

  it('case 2: a byte order mark is no part of the id column', async () => {
    const report = await bench.import('mark', '\ufeff\ufeff"id","name"\n"1","A"\n')
    expect(await findDataset(bench.db, 'mark')).toMatchObject({ columns: ['id', 'name'] })
    expect((await sourcesOf(report.datasetId))[0]).toMatchObject({ external_id: '1' })
  })

  it('case 3: a wrong column is refused with the real ones, and nothing is written', async () => {
    await expect(bench.import('wrong', 'id\tname\n1\tA\n', { id: ['ids'] })).rejects.toMatchObject({
      code: 'unknown_column',
      message: expect.stringContaining('(is it "id"?). Its columns are: "id", "name"'),
    })
    const mapping = applyMapping({ name: 'nmae' }, null)
    await expect(
      bench.import('wrong', 'id,name\n1,A\n', { readers: [{ owner: 'project 124', mapping }] }),
    ).rejects.toMatchObject({ message: expect.stringContaining('read by project 124') })
    expect(await findDataset(bench.db, 'wrong')).toBeUndefined()
  })

  it('case 4: numbers stay text', async () => {
    const { datasetId } = await bench.import('numbers', 'id,name,at\n007804,5E1,1919-01-01\n')
    expect(await sourcesOf(datasetId)).toMatchObject([
      { external_id: '007804', source: { id: '007804', name: '5E1', at: '1919-01-01' } },
    ])
  })

  it('case 5: a very long name is stored whole', async () => {
    const name = '𝔘'.repeat(200_000)
    const { datasetId } = await bench.import('long', `id,name\n1,${name}\n`)
    expect((await sourcesOf(datasetId))[0]?.source['name']).toBe(name)
  })

  it('case 9: equal names with other cells are two records, equal rows too', async () => {
    const report = await bench.import(
      'equal',
      'id,name,city\n1,History museum,Varna\n2,History museum,Nesebar\n3,History museum,Varna\n',
    )
    expect(counts(report)).toEqual([3, 0, 0, 0, 0])
    const project = await bench.project(report.datasetId)
    const subjects = await bench.db
      .selectFrom('subject')
      .where('project_id', '=', project.id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst()
    expect(subjects?.count).toBe(3)
  })

  it('JSONL is imported, its late columns included', async () => {
    const { datasetId } = await bench.import(
      'jsonl',
      '{"id":1,"name":"A"}\n{"id":2,"also":[1.0]}\n',
    )
    expect(await findDataset(bench.db, 'jsonl')).toMatchObject({ columns: ['id', 'name', 'also'] })
    expect((await sourcesOf(datasetId))[1]?.source).toEqual({ id: '2', also: '1.0' })
  })
})

describe('rejected lines', () => {
  it('are left out, counted, and listed with line, reason and text', async () => {
    const report = await bench.import(
      'rejects',
      'id,name\n1,A\n2\n,B\n1,again\n3,"C\n4,x\0y\n5,"say ""hi"""\n',
    )
    expect(report).toMatchObject({ lines: 7, new: 2, rejected: 5 })
    expect((await bench.rejected())?.split('\n')).toEqual([
      'line,reason,text',
      '3,has 1 of 2 cells,2',
      '4,"has no id: column ""id"" is blank",",B"',
      '6,has text after the closing quote of column 2,"3,""C"',
      '7,"contains a NUL character (U+0000), which a database cannot hold","4,x\0y"',
      '5,"has the id ""1"" of line 2","1,again"',
      '',
    ])
  })

  it('do not leave a file behind when there are none', async () => {
    await bench.import('rejects', 'id,name\n1,A\n')
    expect(await bench.rejected()).toBeNull()
  })

  it('when all are, nothing is imported and the list is there', async () => {
    await expect(bench.import('rejects', 'id,name\n,A\n ,B\n')).rejects.toMatchObject({
      code: 'nothing_to_import',
    })
    expect(await bench.rejected()).toContain('2,"has no id')
    await expect(bench.import('rejects', 'id,name\n')).rejects.toMatchObject({
      code: 'nothing_to_import',
    })
    const dataset = await findDataset(bench.db, 'rejects')
    const rows = await sourcesOf(dataset?.id ?? 0)
    expect(rows.filter((row) => row.absent_since === null)).toMatchObject([{ external_id: '1' }])
  })

  it('thousands of duplicates are all listed', async () => {
    const report = await bench.import('duplicates', `id,name\n${'7,A\n'.repeat(2501)}`)
    expect(report).toMatchObject({ lines: 2501, new: 1, rejected: 2500 })
    expect((await bench.rejected())?.split('\n')[2500]).toBe(
      '2502,"has the id ""7"" of line 2","7,A"',
    )
  })
})

describe('importing again', () => {
  it('tells new, changed, unchanged and absent records apart, and keeps the absent', async () => {
    await bench.import('again', 'id,name\n1,A\n2,B\n3,C\n4,D\n')
    const second = await bench.import('again', 'id,name\n4,D\n2,B\n1,a\n5,E\n')
    expect(counts(second)).toEqual([1, 1, 2, 1, 0])
    const rows = await sourcesOf(second.datasetId)
    const present = rows.filter((row) => row.absent_since === null)
    expect(present.map((row) => row.external_id)).toEqual(['4', '2', '1', '5'])
    const third = await bench.import('again', 'id,name\n3,C\n4,D\n2,B\n1,a\n5,E\n')
    expect(counts(third)).toEqual([0, 0, 5, 0, 0])
  })

  it('the order of columns and the quoting change nothing', async () => {
    await bench.import('order', 'id,name,x\n1,A,"y"\n')
    const again = await bench.import('order', 'x;"id";name\n"y";1;A\n')
    expect(counts(again)).toEqual([0, 0, 1, 0, 0])
    expect(await findDataset(bench.db, 'order')).toMatchObject({
      columns: ['x', 'id', 'name'],
      format: { delimiter: ';' },
    })
  })

  it('takes the id columns of the first import, and refuses others', async () => {
    await bench.import('ids', 'a,b\n1,x\n1,y\n', { id: ['a', 'b'] })
    expect(counts(await bench.import('ids', 'a,b\n1,y\n', { id: null }))).toEqual([0, 0, 1, 1, 0])
    await expect(bench.import('ids', 'a,b\n1,y\n', { id: ['a'] })).rejects.toMatchObject({
      code: 'ids_differ',
    })
  })

  it('is refused without ids, unless the file adds to the dataset', async () => {
    await bench.import('rows', 'name\nA\nB\n', { id: null })
    await expect(bench.import('rows', 'name\nC\n', { id: null })).rejects.toMatchObject({
      code: 'no_ids',
      hint: expect.stringContaining('--append'),
    })
    const more = await bench.import('rows', 'name\nC\n', { id: null, append: true })
    expect(counts(more)).toEqual([1, 0, 0, 0, 0])
    const ids = (await sourcesOf(more.datasetId)).map((row) => row.external_id)
    expect(ids).toEqual(['row-1', 'row-2', 'row-3'])
  })

  it('an appended file changes what it mentions and leaves the rest', async () => {
    await bench.import('more', 'id,name\n1,A\n2,B\n')
    const more = await bench.import('more', 'id;name\n2;b\n3;C\n', { append: true })
    expect(counts(more)).toEqual([1, 1, 0, 0, 0])
    const rows = await sourcesOf(more.datasetId)
    expect(rows.map((row) => row.external_id)).toEqual(['1', '2', '3'])
    await expect(
      bench.import('more', 'id,name,extra\n4,D,x\n', { append: true }),
    ).rejects.toMatchObject({ code: 'columns_differ' })
  })
})

describe('an import that does not end', () => {
  it('leaves the old state whole', async () => {
    const { datasetId } = await bench.import('broken', 'id,name\n1,A\n2,B\n')
    let breaks = false
    const source = {
      name: 'broken.csv',
      sizeBytes: null,
      async *open() {
        yield Buffer.from('id,name\n1,changed\n3,new\n')
        if (breaks) throw new Error('the disk is gone')
      },
    }
    const onTable = () => (breaks = true)
    await expect(bench.import('broken', source, { onTable })).rejects.toThrow('the disk is gone')
    const rows = await sourcesOf(datasetId)
    expect(rows.map((row) => [row.external_id, row.source['name'], row.absent_since])).toEqual([
      ['1', 'A', null],
      ['2', 'B', null],
    ])
    expect(counts(await bench.import('broken', 'id,name\n1,A\n2,B\n'))).toEqual([0, 0, 2, 0, 0])
  })

  it('keeps a second one out', async () => {
    const started = gate()
    const released = gate()
    let holds = false
    const slow = {
      name: 'slow.csv',
      sizeBytes: null,
      async *open() {
        yield Buffer.from('id,name\n1,A\n')
        if (!holds) return
        started.open()
        await released.opened
      },
    }
    const first = bench.import('twice', slow, { onTable: () => (holds = true) })
    await started.opened
    await expect(bench.import('twice', 'id,name\n2,B\n')).rejects.toMatchObject({
      code: 'import_running',
    })
    released.open()
    expect(counts(await first)).toEqual([1, 0, 0, 0, 0])
  })
})

function gate() {
  const doors: (() => void)[] = []
  const opened = new Promise<void>((resolve) => doors.push(resolve))
  return { opened, open: () => doors.forEach((door) => door()) }
}
