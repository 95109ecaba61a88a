import { type Command, Option } from 'commander'
import { type ExportFormat, exportFormats } from '../export/export-formats.ts'
import { matchStatuses } from '../export/match-fields.ts'
import { addProjectFlag } from '../known-project.ts'

export interface ExportFlags {
  readonly project: number
  readonly format?: ExportFormat
  readonly output: string
  readonly only: readonly string[]
  readonly prefix: string
  readonly excel?: true
  readonly includeAbsent?: true
  readonly force?: true
}

/** Adds `export`. */
export function register(program: Command): void {
  addProjectFlag(
    program
      .command('export')
      .summary('write the records with their matches')
      .description(
        'Writes every record of a project in file order: the imported line as it was, then what was found.',
      ),
  )
    .addOption(
      new Option(
        '--format <format>',
        'csv is written as the imported file was, in UTF-8 (default: csv)',
      ).choices(exportFormats),
    )
    .option(
      '-o, --output <file>',
      'file to write; "-" is stdout; csv, jsonl or json: that format on stdout',
      '-',
    )
    .addOption(
      new Option('--only <status...>', 'only records that stand so')
        .choices(matchStatuses)
        .default([], 'all'),
    )
    .option('--force', 'replace a file that is no earlier export')
    .option('--prefix <text>', 'before each added column', 'match_')
    .option('--excel', 'CSV for spreadsheets: byte order mark, and no cell runs as a formula')
    .option('--include-absent', 'also records that the last import did not have, at the end')
    .addHelpText(
      'after',
      `
Added: match_qid, match_label, match_description, match_status, match_by, match_at, match_score,
match_margin, match_runner_up, match_rule, match_reason, match_error.

Examples:
  ./record-linker export --project 124 > matched.csv
  ./record-linker export --project 124 --only review failed -o review.csv --excel
  ./record-linker export --project 124 --format jsonl | jq -c 'select(.match_score > 90)'`,
    )
    .action(async (flags: ExportFlags) => {
      const { runExport } = await import('../export/run-export.ts')
      await runExport(flags)
    })
}
