import { type Command, Option } from 'commander'
import { type JudgmentFormat, judgmentFormats } from '../judgments/judgment-formats.ts'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface JudgmentsImportFlags {
  readonly project: number
  readonly rejected?: string
  readonly output: OutputFormat
}

export interface JudgmentsExportFlags {
  readonly project: number
  readonly format?: JudgmentFormat
  readonly output: string
  readonly force?: true
}

/** Adds `judgments import|export`. */
export function register(program: Command): void {
  const judgments = program
    .command('judgments')
    .summary('what people say about matches')
    .description('A judgment is what a person says about a record; no run ever changes it.')
  addProjectFlag(
    judgments
      .command('import')
      .description(
        'Reads judgments from a CSV or JSONL file; what it says already is not written twice.',
      )
      .argument(
        '<file>',
        'columns id, verdict, and qid, by, at, note where there is something to say; or a review file',
      ),
  )
    .option('--rejected <file>', 'where rows with errors go (default: FILE.rejected.csv)')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
verdict: match (with qid), none_fits, not_in_wikidata, not_applicable, or undo, which takes the
last one back. at: a time, blank for now. by: who says it, blank for you.
A review file is one of "export --format review-csv" with decisions filled in, as saved by any
spreadsheet; rows without one are left undecided. Or judge on a page: ./record-linker review

A file of your own:
  id,verdict,qid,note
  1,match,Q151954,
  5,not_in_wikidata,,closed in 2019

Examples:
  ./record-linker judgments import decided.csv --project 124
  ./record-linker judgments import review-124.csv --project 124`,
    )
    .action(async (file: string, flags: JudgmentsImportFlags) => {
      const { runJudgmentsImport } = await import('../judgments/run-judgments.ts')
      await runJudgmentsImport(file, flags)
    })
  addProjectFlag(
    judgments
      .command('export')
      .description('Writes the judgments that hold, as "judgments import" reads them.'),
  )
    .addOption(
      new Option(
        '--format <format>',
        '(default: by the ending of -o: .jsonl, .json, else csv)',
      ).choices(judgmentFormats),
    )
    .option(
      '-o, --output <file>',
      'file to write; "-" is stdout; the name of a format: that format on stdout',
      '-',
    )
    .option('--force', 'replace a file that is no earlier export')
    .addHelpText(
      'after',
      `
stale is "yes" where the record, the mapping or the item changed after it was judged.

Example: ./record-linker judgments export --project 124 > judgments.csv`,
    )
    .action(async (flags: JudgmentsExportFlags) => {
      const { runJudgmentsExport } = await import('../judgments/run-judgments.ts')
      await runJudgmentsExport(flags)
    })
}
