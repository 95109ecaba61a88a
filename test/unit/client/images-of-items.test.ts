import { describe, expect, it } from 'vitest'
import { checkExportFlags } from '../../../src/client/export/export-target.ts'
import { imageQuestionOf, imageReportText } from '../../../src/client/extend/image-report.ts'
import type { FaultyImage } from '../../../src/db/image-checks.repo.ts'

const counts = {
  images: 30,
  present: 4,
  missing: 24,
  not_an_image: 1,
  no_file_name: 0,
  failed: 1,
  unchecked: 0,
}
const missing = (number: number): FaultyImage => ({
  item: `Q${number}`,
  property: 'P18',
  value: `${number}.jpg`,
  state: 'missing',
  code: 'not_found',
})

describe('what is told of images', () => {
  it('are the faults one by one, the first twenty of them', () => {
    const faulty = Array.from({ length: 26 }, (_, index) => missing(index + 1))
    const lines = imageReportText({ counts, faulty }).split('\n')
    expect(lines[0]).toBe(
      '30 images: 4 there, 24 not there, 1 something else than an image, 1 could not be asked',
    )
    expect(lines.filter((line) => line.startsWith('Q'))).toHaveLength(20)
    expect(lines.at(-1)).toBe('… and 6 more: -o json')
  })

  it('is a refusal where no property holds any', () => {
    const question = { projectId: 1, service: 'x', properties: ['P569', 'Len'] }
    const since = '2026-11-28T00:00:00Z'
    expect(() => imageQuestionOf(question, since)).toThrow(
      expect.objectContaining({ code: 'no_image_property' }),
    )
    const { properties } = imageQuestionOf({ ...question, properties: ['P18', 'P569'] }, since)
    expect(properties).toEqual(['P18'])
  })
})

it('the width of images is refused where no column of them is written', () => {
  const flags = { project: 1, output: '-', only: [], prefix: 'match_', statement: [], source: [] }
  const check = (properties: readonly string[]) => () =>
    checkExportFlags({ ...flags, with: properties, imageWidth: 600 }, 'csv')
  expect(check(['Len'])).toThrow(expect.objectContaining({ code: 'bad_flag' }))
  expect(check(['Len', 'P154'])).not.toThrow()
})
