import { sampleRecords } from '../../src/client/sample/sample-records.ts'
import { word } from '../score/made-records.ts'

const QUESTIONS_PER_TEN = 4

/** Cells of made records, as in `bench:million`: of ten four have a name of their own, the others one of these again. */
export async function csvCells(
  records: number,
): Promise<(record: number) => Readonly<Record<string, string>>> {
  const brands = [
    ...new Map((await sampleRecords()).map((one) => [one.name.toLowerCase(), one])).values(),
  ]
  const questions = Math.ceil((records * QUESTIONS_PER_TEN) / 10)
  return (record) => {
    const question = record % questions
    const brand = brands[question % brands.length]
    if (brand === undefined) throw new Error('expected at least one brand in the sample')
    return {
      id: `r${record}`,
      name: `${brand.name} ${word(Math.floor(question / brands.length))}`,
      country: brand.countries.join('|'),
      category: brand.category,
    }
  }
}
