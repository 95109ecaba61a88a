import { imageProperties } from '../../core/commons/image-properties.ts'
import type { Db } from '../../db/connect.ts'
import {
  countImages,
  type FaultyImage,
  faultyImages,
  type ImageCounts,
  type ImageQuestion,
} from '../../db/image-checks.repo.ts'
import type { ValueQuestion } from '../../db/item-values.repo.ts'
import type { ImageState } from '../../db/tables/image-check.table.ts'
import { UsageError } from '../../errors.ts'
import { tableText } from '../output.ts'

const ROWS_SHOWN = 20

const MEANING: Readonly<Record<Exclude<ImageState, 'present'>, string>> = {
  missing: 'not there',
  not_an_image: 'something else than an image',
  no_file_name: 'no name of a file of Commons',
  failed: 'could not be asked',
}

export interface ImageReport {
  readonly counts: ImageCounts
  readonly faulty: readonly FaultyImage[]
}

/**
 * @param since ISO 8601: what could not be asked before is asked again
 * @throws UsageError `no_image_property`
 */
export function imageQuestionOf(question: ValueQuestion, since: string): ImageQuestion {
  const properties = imageProperties(question.properties)
  if (properties.length > 0) return { ...question, properties, since }
  throw new UsageError({
    code: 'no_image_property',
    message: `--check-images looks for images, and none of ${question.properties.join(', ')} holds any; expected one such as P18 (image), P154 (logo), P41 (flag) or P94 (coat of arms).`,
  })
}

export async function readImageReport(db: Db, question: ImageQuestion): Promise<ImageReport> {
  return { counts: await countImages(db, question), faulty: await faultyImages(db, question) }
}

export function imageReportText({ counts, faulty }: ImageReport): string {
  const parts = (['missing', 'not_an_image', 'no_file_name', 'failed'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${MEANING[state]}`)
  const open = counts.unchecked > 0 ? [`${counts.unchecked} not asked yet`] : []
  const head = `${counts.images} images: ${[`${counts.present} there`, ...parts, ...open].join(', ')}`
  if (faulty.length === 0) return head
  const hidden = faulty.length - ROWS_SHOWN
  const rows = faulty
    .slice(0, ROWS_SHOWN)
    .map(({ item, property, value, state, code }) => [
      item,
      property,
      value,
      meaningOf(state),
      code,
    ])
  return [
    head,
    '',
    tableText(['item', 'property', 'value', 'file', 'code'], rows),
    ...(hidden > 0 ? [`… and ${hidden} more: -o json`] : []),
  ].join('\n')
}

function meaningOf(state: ImageState): string {
  return state === 'present' ? 'there' : MEANING[state]
}
