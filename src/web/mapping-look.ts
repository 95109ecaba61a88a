/** What the import page shows of a file, and of what is said about it. */
import { applyMapping } from '../client/mapping/apply-mapping.ts'
import type { TableStart } from '../client/import/table-start.ts'
import { serviceAddress } from '../client/match/service-address.ts'
import {
  collectExamples,
  type KeptColumn,
  keptColumns,
  type SentColumns,
} from '../client/match/dry-run/sent-columns.ts'
import type { ColumnLook } from '../core/mapping/suggest-mapping.ts'
import { findDataset } from '../db/datasets.repo.ts'
import { UsageError } from '../errors.ts'
import { draftMapping, type ImportDraft } from './import-draft.ts'
import type { WebContext } from './web-context.ts'

const ROWS_SHOWN = 20
const EXAMPLES = 3
const LONGEST_EXAMPLE = 60

export interface MappingLook extends TableStart {
  /** By column. */
  readonly examples: readonly (readonly string[])[]
  /** Null: it is not said well enough yet. */
  readonly sent: {
    /** A host, or the name of the service. */
    readonly to: string
    readonly columns: readonly SentColumns[]
    readonly kept: readonly KeptColumn[]
  } | null
  readonly isKnownDataset: boolean
}

/** First cells by column. */
export function columnLooks({ columns, records }: TableStart): readonly ColumnLook[] {
  return columns.map((column) => ({
    column,
    cells: records.map(({ cells }) => (Object.hasOwn(cells, column) ? (cells[column] ?? '') : '')),
  }))
}

export async function mappingLook(
  context: WebContext,
  start: TableStart,
  draft: ImportDraft,
): Promise<MappingLook> {
  return {
    ...start,
    records: start.records.slice(0, ROWS_SHOWN),
    examples: columnLooks(start).map(({ cells }) =>
      [...new Set(cells)]
        .filter((cell) => cell.trim() !== '')
        .slice(0, EXAMPLES)
        .map((cell) =>
          cell.length > LONGEST_EXAMPLE ? `${cell.slice(0, LONGEST_EXAMPLE)}…` : cell,
        ),
    ),
    sent: sentOf(context, start, draft),
    isKnownDataset: (await findDataset(context.db, draft.dataset)) !== undefined,
  }
}

function sentOf(context: WebContext, start: TableStart, draft: ImportDraft): MappingLook['sent'] {
  try {
    const settings = { ...applyMapping(draftMapping(draft), null), service: draft.service }
    const examples = collectExamples(settings)
    for (const { cells } of start.records) examples.add(cells)
    const address = serviceAddress(draft.service, context)
    const to =
      address !== undefined && URL.canParse(address) ? new URL(address).host : draft.service
    return { to, columns: examples.columns(), kept: keptColumns(settings, start.columns) }
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}
