import { type Command, InvalidArgumentError, Option } from 'commander'
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
  readonly with: readonly string[]
  /** Pixels. */
  readonly imageWidth?: number
  readonly statement: readonly string[]
  readonly source: readonly string[]
  readonly includeAutomatic?: true
  readonly createNew?: true
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
        'csv is written as the imported file was, in UTF-8 (default: by the ending of -o: .jsonl, .json, else csv)',
      ).choices(exportFormats),
    )
    .option(
      '-o, --output <file>',
      'file to write; "-" is stdout; the name of a format: that format on stdout',
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
    .addOption(
      new Option(
        '--with <properties>',
        'also values of the matched items: P569,Len,Snlwiki (see "extend")',
      )
        .argParser(propertyList)
        .default([], 'none'),
    )
    .option(
      '--image-width <pixels>',
      'names of image files (P18, P154 …) as addresses of pictures so wide (default: the names)',
      pixels,
    )
    .addOption(
      new Option('--statement <pid=column>', 'quickstatements: what to state; repeatable')
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--source <pid=value>',
        'quickstatements: reference of each statement, a column or a value; repeatable',
      )
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--include-automatic', 'quickstatements: also matches that nobody has judged')
    .option('--create-new', 'quickstatements: new items for records judged not_in_wikidata')
    .addHelpText('after', HELP)
    .action(async (flags: ExportFlags) => {
      const { runExport } = await import('../export/run-export.ts')
      await runExport(flags)
    })
}

/** `P569,P18,Len`: ids of properties as the service knows them, each once. */
export function propertyList(text: string): readonly string[] {
  const properties = text
    .split(',')
    .map((property) => property.trim())
    .filter((property) => property !== '')
  if (properties.length === 0) throw new InvalidArgumentError('expected ids such as P569,Len')
  return [...new Set(properties)]
}

function pixels(text: string): number {
  const width = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (width === 0) throw new InvalidArgumentError('expected pixels, such as 600')
  return width
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

const HELP = `
Formats:
  csv, jsonl, json  Added: match_qid, match_label, match_description, match_status, match_by, match_at,
                    match_score, match_margin, match_runner_up, match_rule, match_reason, match_error.
  review-csv        The best three candidates of each record and an empty column "decision" for a person:
                    1, 2 or 3, an item id or its address, none, not in wikidata, not applicable; blank is
                    undecided. "judgments import" reads it back, as any spreadsheet saves it. Records that
                    changed meanwhile are told and not judged.
  quickstatements   Commands (version 1) that add statements to matched items. What a column holds is
                    taken from the mapping: dates, identifiers, items, addresses, numbers, coordinates; or
                    said: P1082=people:number, P2048=height:number:Q174728 (unit), P1476=title:text:en.
                    Only judged matches. Count and examples come first. What cannot be written is told;
                    with -o FILE, FILE.left-out.csv has all of it.
  openrefine-csv    Added: match_name, match_qid, match_label, match_description, match_judgment (matched,
                    new, none), match_score. OpenRefine reads no reconciled cells from files. With
                    -o FILE, FILE.operations.json does it: Undo/Redo, Apply …. By hand, on match_qid:
                    1. Reconcile, Use values as identifiers (of your service)
                    2. Edit cells, Transform: cells["match_name"].value
                    3. facet match_judgment, choose "new": Reconcile, Actions, Create a new item for each cell
                    4. choose "none": Reconcile, Start reconciling, for what is still open.

Examples:
  ./record-linker export --project 124 -o matches-124.csv
  ./record-linker export --project 124 --format review-csv --only review no_candidate -o review-124.csv --excel
  ./record-linker export --project 124 --format quickstatements --statement P214=viaf --source P248=Q54919
  ./record-linker export --project 124 --with P569,P18,Len --image-width 500 -o matches-124.csv
  ./record-linker export --project 124 --format jsonl | jq -c 'select(.match_score > 90)'`
