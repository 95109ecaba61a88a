import { type Command, Option } from 'commander'
import { type ItemFormat, itemFormats } from '../extract/item-formats.ts'
import { withRun } from './extract-run-argument.ts'

export interface ExtractExportFlags {
  readonly type?: string
  readonly format?: ItemFormat
  readonly output: string
  readonly excel?: true
  readonly force?: true
}

/** Defines `extract export`. */
export function defineExtractExport(command: Command): void {
  withRun(command)
    .summary('write the items of an extraction')
    .description(
      'Writes the items that an extraction has kept of a content type, in the order of the list.',
    )
    .option('--type <type>', 'which content type (default: the only one)')
    .addOption(
      new Option(
        '--format <format>',
        'jsonl and json as the source sent them, csv with the cells of the records (default: by the ending of -o: .csv, .json, else jsonl)',
      ).choices(itemFormats),
    )
    .option(
      '-o, --output <file>',
      'file to write; "-" is stdout; the name of a format: that format on stdout',
      '-',
    )
    .option('--excel', 'CSV for spreadsheets: byte order mark, and no cell runs as a formula')
    .option('--force', 'replace a file that is there')
    .addHelpText(
      'after',
      `
Details that were read are in the items. An extraction that goes on gives what it has up to now.

Examples:
  ./record-linker extract export 3 > items.jsonl
  ./record-linker extract export 3 --type users -o users.csv
  ./record-linker extract export 3 --type dashboards | jq -c '{id, tiles: (.dashboard_elements | length)}'`,
    )
    .action(async (run: number, flags: ExtractExportFlags) => {
      const { runExtractExport } = await import('../extract/run-extract-export.ts')
      await runExtractExport(run, flags)
    })
}
