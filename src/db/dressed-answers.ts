import type { SubjectAnswer } from '../core/matching/judge-subject.ts'
import { type Cells, mapRecord } from '../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../core/project-settings.ts'
import { dressAnswer } from '../core/wikidata/dress-answers.ts'
import { itemNeeds } from '../core/wikidata/item-needs.ts'
import { fillShelf } from '../core/wikidata/item-shelf.ts'
import { WIKIDATA_SERVICE } from '../core/wikidata/wikidata-service.ts'
import type { Db } from './connect.ts'
import { knownItems } from './item-facts.repo.ts'

interface Answered {
  readonly cells: Cells
  readonly answers: readonly SubjectAnswer[]
}

/**
 * Records whose answers have all that is known of their candidates. Answers of reconciliation services have it in them;
 * those of Wikidata get it from the table of items, and count as missing where that lacks something.
 */
export async function dressAnswers<T extends Answered>(
  db: Db,
  settings: ProjectSettings,
  records: readonly T[],
): Promise<readonly T[]> {
  if (settings.service !== WIKIDATA_SERVICE) return records
  const needs = itemNeeds(settings)
  const found = records.flatMap(({ answers }) =>
    answers.flatMap(({ list }) => list?.candidates.map(({ id }) => id) ?? []),
  )
  const shelf = await fillShelf(found, needs, knownItems(db, settings.service))
  return records.map((record) => {
    const { types } = mapRecord(record.cells, settings)
    const answers = record.answers.map((answer) => dressAnswer(answer, types, { shelf, needs }))
    return { ...record, answers }
  })
}
