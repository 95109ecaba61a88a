import { type Command, InvalidArgumentError } from 'commander'
import { projectId } from '../known-project.ts'
import { addMappingFlags, type MappingFlags } from '../mapping/mapping-flags.ts'
import { outputOption, type OutputFormat } from '../output.ts'

export interface ImportFlags extends MappingFlags {
  readonly dataset?: string
  readonly project?: number
  readonly id?: readonly string[]
  readonly service?: string
  readonly append?: true
  readonly dryRun?: true
  readonly encoding?: string
  readonly delimiter?: string
  readonly quote?: string | null
  readonly sheet?: string
  readonly rejected?: string
  readonly output: OutputFormat
}

const EXAMPLES = `
Examples:
  ./record-linker import brands.csv --dry-run --id id --name name
  ./record-linker import brands.csv --dataset brands --id id --name name --variant 'aliases:|'
  ./record-linker project create --dataset brands --service http://127.0.0.1:8001
  ./record-linker import brands-2027.csv --dataset brands --dry-run
  ./record-linker import brands-2027.csv --dataset brands
  ./record-linker import artists.xlsx --sheet Painters --dataset painters --id id --name name
  ./record-linker import found.csv --dataset brands --id id --name name --match-column qid

brands-2027.csv is a re-import: records are told apart by their id as new, changed, unchanged or
absent; those that did not change keep their match. Lines that cannot be read are left out and
listed in FILE.rejected.csv (exit code 3).

--match-column takes the items of earlier work as judged, by "import:COLUMN"; another item in a
cell is a new judgment, and no run changes them. With --verify they are asked for again: matched
when the service has them, for a person when the record contradicts them.

--project ID imports into the dataset of that project. When there is no such project and
--service and --name are given, it is made, with a dataset of its own.

Of a spreadsheet, cells are taken as shown; a number is never shortened to fit its column, and a
date whose look is the reader's country's is ISO. The export of it is CSV.

The mapping file, with everything optional but "name":
  {"name": "{first} {last}", "variants": [{"column": "aliases", "separator": "|"}],
   "properties": [{"pid": "P569", "columns": ["born"], "kind": "date", "use": "compare",
                   "dateFormat": "dmy", "split": ";"}],
   "typeColumn": "type", "earlier": {"column": "qid", "use": "judge"}, "types": ["Q5"], "languages": ["nl", "en"], "kind": "person",
   "candidates": 10, "thresholds": {"match": 80, "review": 35, "lead": 10}}
  kind: date, id, url, number, coordinate, item, text. use: send (with the question), compare
  (here only), keep. Only names and "send" columns ever leave this machine.`

/** Adds `import`. */
export function register(program: Command): void {
  const command = program
    .command('import')
    .summary('read a file of records into a dataset')
    .description(
      'Reads a CSV, TSV, JSONL (also gzipped) or XLSX file into a dataset, or brings it up to date.',
    )
    .argument('<file>', 'a header line and records, or one JSON object per line')
    .option('--dataset <name>', 'dataset to fill; made when there is none of that name')
    .option('--project <id>', 'project whose dataset to fill', projectId)
    .option('--id <column...>', 'columns that tell records apart; needed to import again')
  addMappingFlags(command)
    .option('--service <service>', 'only with a new --project: whom to ask')
    .option('--append', 'the file adds to the dataset: what it lacks is not absent')
    .option(
      '--dry-run',
      'show how the file is understood and its first 5 records, with a target also what would change; write nothing',
    )
    .option('--encoding <name>', 'utf-8, utf-16le, utf-16be, windows-1252, … (default: detected)')
    .option('--delimiter <char>', 'one character, or: comma, tab, semicolon, bar', delimiter)
    .option('--quote <char>', 'one character, or: none', quote)
    .option(
      '--sheet <name>',
      'sheet of a spreadsheet: its name, or its number (default: the first)',
    )
    .option('--rejected <file>', 'where lines that cannot be read go (default: FILE.rejected.csv)')
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ImportFlags) => {
      const { runImport } = await import('../import/run-import.ts')
      await runImport(file, flags)
    })
}

const DELIMITERS: Readonly<Record<string, string>> = {
  comma: ',',
  tab: '\t',
  '\\t': '\t',
  semicolon: ';',
  bar: '|',
  pipe: '|',
}

function delimiter(text: string): string {
  const char = DELIMITERS[text] ?? text
  if (char.length === 1 && !/["\r\n]/.test(char)) return char
  throw new InvalidArgumentError('Expected one character, or comma, tab, semicolon, bar.')
}

function quote(text: string): string | null {
  if (text === 'none') return null
  if (text.length === 1 && !/[\r\n]/.test(text)) return text
  throw new InvalidArgumentError('Expected one character, or none.')
}
