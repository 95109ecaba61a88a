import { type Command, InvalidArgumentError } from 'commander'
import { addProjectFlag } from '../known-project.ts'
import { outputOption, type OutputFormat } from '../output.ts'
import { propertyList } from './export.ts'

export interface ExtendFlags {
  readonly project: number
  readonly property: readonly string[]
  readonly out?: string
  readonly force?: true
  /** ms */
  readonly refreshOlderThan?: number
  readonly detach?: true
  readonly stop?: true
  readonly checkImages?: true
  readonly output: OutputFormat
}

/** Adds `extend`. */
export function register(program: Command): void {
  addProjectFlag(
    program
      .command('extend')
      .summary('fetch more about the matched items')
      .description(
        'Asks the service of a project what its matched items state. Answers are kept: what is known is never asked again.',
      ),
  )
    .requiredOption('--property <ids>', 'as the service knows them: P569,P18,Len', propertyList)
    .option(
      '--out <file>',
      'then write the export with these columns: CSV, or .jsonl or .json by its ending',
    )
    .option('--force', 'replace a file that is no earlier export')
    .option('--refresh-older-than <days>', 'ask again what was fetched before: 90d', days)
    .option('--check-images', 'also ask Wikimedia Commons whether each image is there, and is one')
    .option('--detach', 'start it and return at once')
    .option('--stop', 'stop an extension that goes on; what was answered stays')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Wikidata's services also tell labels, descriptions and sitelinks: Len, Dde, Snlwiki.
With --check-images each file that P18, P154, P41, P94 and the like name is asked for once at
commons.wikimedia.org; its name and nothing else is sent, and the file is not kept. Values stay as they are.
Ctrl-C leaves it going; the same command joins it again.
Exit code: 0 done, 1 failed, 3 some items or images could not be asked, 4 no server, 130 left running.

Examples:
  ./record-linker extend --project 124 --property P569,P18,Len --out matched.csv
  ./record-linker extend --project 124 --property P18 --check-images -o json | jq '.faultyImages[]'
  ./record-linker export --project 124 --with P569,P18,Len --image-width 600 > matched.csv`,
    )
    .action(async (flags: ExtendFlags) => {
      const { runExtend } = await import('../extend/run-extend.ts')
      await runExtend(flags)
    })
}

const DAY_MS = 24 * 60 * 60 * 1000

function days(text: string): number {
  const [, count] = /^(\d{1,5})d?$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('expected days, such as 90d')
  return Number(count) * DAY_MS
}
