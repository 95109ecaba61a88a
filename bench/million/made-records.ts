/**
 * Records made from the names of the sample: a brand and a place, such as "Rewe Balermonti". Of ten records four ask a
 * question of their own; the others ask one of these again, far away in the file.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvLine } from '../../src/tabular/write-csv.ts'
import { sampleRecords, type SampleRecord } from '../../src/client/sample/sample-records.ts'
import { word } from '../score/made-records.ts'

const QUESTIONS_PER_TEN = 4
/** A prime, so that it goes through all questions, however many there are. */
const STRIDE = 1_000_003
const LINES_PER_WRITE = 2_000
const COMMA = { delimiter: ',', quote: '"' }

export interface MadeRecords {
  readonly records: number
  /** Distinct names. */
  readonly questions: number
  readonly write: (path: string) => Promise<void>
}

/** Country and category are compared, and never sent, as in the sample. */
export const madeMapping = {
  name: 'name',
  kind: 'organisation',
  properties: [
    { pid: 'P17', columns: ['country'], kind: 'item', use: 'compare', split: '|' },
    { pid: 'category', columns: ['category'], kind: 'text', use: 'compare' },
  ],
}

export async function madeRecords(records: number): Promise<MadeRecords> {
  const brands = distinctBrands(await sampleRecords())
  const questions = Math.ceil((records * QUESTIONS_PER_TEN) / 10)
  return {
    records,
    questions,
    write: (path) =>
      pipeline(Readable.from(csv(brands, records, questions)), createWriteStream(path)),
  }
}

function distinctBrands(sample: readonly SampleRecord[]): readonly SampleRecord[] {
  return [...new Map(sample.map((brand) => [brand.name.toLowerCase(), brand])).values()]
}

function* csv(brands: readonly SampleRecord[], records: number, questions: number) {
  yield 'id,name,country,category\n'
  for (let from = 0; from < records; from += LINES_PER_WRITE) {
    const lines = Math.min(LINES_PER_WRITE, records - from)
    yield Array.from({ length: lines }, (_, index) => line(brands, from + index, questions)).join(
      '',
    )
  }
}

/**
 * Each question once, then again in another order: were they repeated in theirs, all that are asked a third time would come
 * first, and what comes later would be more work a record.
 */
function questionOf(record: number, questions: number): number {
  return record < questions ? record : (record * STRIDE) % questions
}

function line(brands: readonly SampleRecord[], record: number, questions: number): string {
  const question = questionOf(record, questions)
  const brand = brands[question % brands.length]
  if (brand === undefined) throw new Error('expected at least one brand in the sample')
  const name = `${brand.name} ${word(Math.floor(question / brands.length))}`
  return `${csvLine([`r${record}`, name, brand.countries.join('|'), brand.category], COMMA)}\n`
}
