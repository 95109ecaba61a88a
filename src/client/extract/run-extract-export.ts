import { counted } from '../../core/counted.ts'
import type { ContentType } from '../../core/extract/source-profile.ts'
import type { Db } from '../../db/connect.ts'
import { findCheckpoint } from '../../db/extract-checkpoints.repo.ts'
import { readExportedItems } from '../../db/extract-export.repo.ts'
import { UsageError } from '../../errors.ts'
import { withCommandContext } from '../command-context.ts'
import type { ExtractExportFlags } from '../commands/extract-export.ts'
import { refuseOtherFiles } from '../export/earlier-export.ts'
import { formatOfEnding } from '../export/format-of-ending.ts'
import { say } from '../output.ts'
import { fileSink, stdoutSink, type TextSink } from '../text-sink.ts'
import { type ItemFormat, itemFormats } from './item-formats.ts'
import { itemRows } from './item-rows.ts'
import { oneType } from './one-type.ts'
import { knownExtraction } from './reconcile-extraction.ts'

/** Matches nothing: whatever has any text is left alone. */
const NOTHING = /(?!)/

/** The command `extract export`. */
export async function runExtractExport(runId: number, flags: ExtractExportFlags): Promise<void> {
  const { format, path } = targetOf(flags)
  if (flags.excel === true && format !== 'csv') {
    throw new UsageError({
      code: 'bad_flag',
      message: `--excel is for CSV; ${format} was asked for.`,
    })
  }
  if (path !== null && flags.force !== true) await refuseOtherFiles(path, NOTHING)
  await withCommandContext(async ({ db }) => {
    const run = await knownExtraction(db, runId)
    const type = oneType(run, flags.type)
    const sink = path === null ? stdoutSink() : await fileSink(path)
    let items = 0
    try {
      items = await exportItems(db, run.id, type, { format, excel: flags.excel ?? false }, sink)
      await sink.finish()
    } catch (error) {
      await sink.discard()
      throw error
    }
    say(`${counted(items, 'item')} of ${type.name}${path === null ? '' : ` in ${path}`}`)
    const checkpoint = await findCheckpoint(db, { runId, type: type.name })
    if (checkpoint !== undefined && checkpoint.state !== 'complete') {
      say(`The list is ${checkpoint.state}: ./record-linker extract status ${runId}`)
    }
    if (checkpoint !== undefined) {
      say(`As records, to match: ./record-linker dataset show ${checkpoint.dataset}`)
    }
  })
}

/**
 * Writes the items of a type as they were at one moment, whatever a running extraction adds.
 * @returns how many
 */
export async function exportItems(
  db: Db,
  runId: number,
  type: ContentType,
  how: { readonly format: ItemFormat; readonly excel: boolean },
  sink: Pick<TextSink, 'write'>,
): Promise<number> {
  const key = { runId, type: type.name }
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const rows = await itemRows(tx, key, type, how)
      let items = 0
      await sink.write(rows.head)
      await readExportedItems(tx, key, async (page) => {
        const texts = page.map((item, index) => rows.row(item, items + index === 0))
        items += page.length
        await sink.write(texts.join(''))
      })
      await sink.write(rows.tail)
      return items
    })
}

function targetOf({ format, output }: ExtractExportFlags) {
  const meant = itemFormats.find((one) => one === output)
  if (meant !== undefined) return { format: format ?? meant, path: null }
  if (output === '-') return { format: format ?? 'jsonl', path: null }
  return { format: format ?? formatOfEnding(output, itemFormats, '--format'), path: output }
}
