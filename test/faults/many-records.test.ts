/**
 * `npm run bench:million`, made short: the whole path with real processes. What is expected here does not depend on how
 * fast this machine is; the goals in seconds are for the bench.
 */
import { expect, it } from 'vitest'
import { pathReport } from '../../bench/million/path-report.ts'
import { walkWholePath } from '../../bench/million/whole-path.ts'
import { report } from './report.ts'

const RECORDS = 10_000

it('all records are decided and exported, each question is asked once, and no history grows with them', async () => {
  const path = await walkWholePath(
    { records: RECORDS, entriesPerTask: undefined, doTry: true },
    report,
  )
  expect(path).toMatchObject({ completed: RECORDS, exportedRows: RECORDS, asked: path.questions })
  expect(path.histories.most).toBeLessThan(10_000)
  expect(path.largestEventBytes).toBeLessThan(8_192)
  const measures = pathReport(path).flatMap(({ measures: some }) => some)
  expect(measures.find(({ name }) => name === 'records completed')?.value).toBe(RECORDS)
})
