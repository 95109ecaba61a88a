/**
 * What OpenRefine does to make reconciled cells of our columns, as the JSON that it applies (Undo/Redo, Apply …). No
 * file format carries reconciled cells into it; an id column can be declared to be them, and keeps that when the
 * text of its cells is replaced by names.
 */
import type { ServiceFacts } from '../../db/services.repo.ts'

export interface OpenRefineService extends Pick<ServiceFacts, 'identifierSpace' | 'schemaSpace'> {
  /** Endpoint of a reconciliation service of these items. */
  readonly url: string
}

const ALL_ROWS = { mode: 'row-based', facets: [] } as const

/** @param prefix of the added columns; `<prefix>qid` becomes the reconciled column `<prefix>item` */
export function openRefineOperations(
  prefix: string,
  { url, identifierSpace, schemaSpace }: OpenRefineService,
): readonly object[] {
  const ids = `${prefix}qid`
  const service = { service: url, identifierSpace, schemaSpace }
  return [
    {
      op: 'core/recon-use-values-as-identifiers',
      engineConfig: ALL_ROWS,
      columnName: ids,
      ...service,
      description: `Use values as reconciliation identifiers in column ${ids}`,
    },
    {
      op: 'core/text-transform',
      engineConfig: ALL_ROWS,
      columnName: ids,
      expression: `grel:cells[${JSON.stringify(`${prefix}name`)}].value`,
      onError: 'keep-original',
      repeat: false,
      repeatCount: 10,
      description: `Show the names of the records in column ${ids}`,
    },
    {
      op: 'core/recon-mark-new-topics',
      engineConfig: { mode: 'row-based', facets: [judgmentFacet(`${prefix}judgment`, 'new')] },
      columnName: ids,
      shareNewTopics: false,
      ...service,
      description: `Create a new item for each record that is not there yet, in column ${ids}`,
    },
    {
      op: 'core/column-rename',
      oldColumnName: ids,
      newColumnName: `${prefix}item`,
      description: `Rename column ${ids} to ${prefix}item`,
    },
  ]
}

function judgmentFacet(columnName: string, judgment: string): object {
  return {
    type: 'list',
    name: columnName,
    expression: 'value',
    columnName,
    invert: false,
    omitBlank: false,
    omitError: false,
    selection: [{ v: { v: judgment, l: judgment } }],
    selectBlank: false,
    selectError: false,
  }
}
