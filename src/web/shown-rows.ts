/** Rows of candidates that say nothing for or against a match, and that people ask for: a picture, and how well known it is. */
import type { ShownItem } from '../db/shown-items.repo.ts'
import { numberText } from './number-text.ts'

export interface ShownRow {
  readonly name: string
  /** In the order of the candidates. */
  readonly cells: readonly string[]
}

/** @param items of the candidates, in their order; null: nothing is known of it. A row that would say nothing is left out. */
export function shownRows(items: readonly (ShownItem | null)[]): readonly ShownRow[] {
  const rows = [
    { name: 'image', cells: items.map((item) => imageText(item?.image ?? null)) },
    { name: 'linked pages', cells: items.map((item) => linksText(item?.sitelinks ?? null)) },
  ]
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
}

function imageText(image: string | null): string {
  return image === '' ? 'none' : (image ?? '')
}

function linksText(sitelinks: number | null): string {
  if (sitelinks === null) return ''
  return sitelinks === 0 ? 'none' : numberText(sitelinks)
}
