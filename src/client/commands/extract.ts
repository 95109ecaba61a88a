import { type Command, InvalidArgumentError, Option } from 'commander'
import { count, hours, wholeNumber } from '../match/option-values.ts'
import { outputOption, type OutputFormat } from '../output.ts'
import { defineExtractDiff } from './extract-diff.ts'
import { defineExtractExport } from './extract-export.ts'
import { defineExtractRetryFailed } from './extract-retry-failed.ts'
import { withRun, words } from './extract-run-argument.ts'
import { defineExtractToProject } from './extract-to-project.ts'

export interface ExtractStartFlags {
  readonly profile: string
  readonly baseUrl?: string
  readonly dataset: string
  readonly types?: readonly string[]
  readonly workers?: number
  readonly queueSize?: number
  readonly batchSize?: number
  readonly ratePerMinute?: number
  readonly ratePerSecond?: number
  /** Commander's form of `--no-adaptive`. */
  readonly adaptive: boolean
  readonly maxAttempts?: number
  readonly mostAbsent?: number
  /** Ms. */
  readonly giveUpAfter?: number
  readonly rereads?: number
  readonly full?: true
  readonly incremental?: true
  readonly detach?: true
  readonly dryRun?: true
  readonly output: OutputFormat
}

export interface ExtractResumeFlags {
  readonly workers?: number
  readonly batchSize?: number
  readonly detach?: true
  readonly output: OutputFormat
}

export interface ExtractStatusFlags {
  readonly watch?: true
  readonly output: OutputFormat
}

export interface ExtractCancelFlags {
  readonly detach?: true
  readonly output: OutputFormat
}

/** Adds the group `extract`. */
export function register(program: Command): void {
  const group = program
    .command('extract')
    .summary('pull records out of an API into datasets')
    .description(
      'Reads the lists of an API, page by page, into datasets that projects can match. A profile says how it is asked.',
    )
  defineStart(group.command('start'))
  defineStatus(group.command('status'))
  defineList(group.command('list'))
  defineErrors(group.command('errors'))
  defineExtractDiff(group.command('diff'))
  defineExtractExport(group.command('export'))
  defineExtractToProject(group.command('to-project'))
  definePause(group.command('pause'))
  defineResume(group.command('resume'))
  defineCancel(group.command('cancel'))
  defineExtractRetryFailed(group.command('retry-failed'))
}

function defineStart(command: Command): void {
  command
    .alias('run')
    .summary('start an extraction, or join the one that goes on')
    .description(
      'Reads every content type of a source to its end. A later run of the same source changes what has changed.',
    )
    .requiredOption(
      '--profile <file>',
      'JSON that says how the source is asked, see docs/extract.md; or "looker"',
    )
    .option('--base-url <url>', "address of the source, in place of the profile's")
    .requiredOption(
      '--dataset <name>',
      'dataset that the items become; with several types: NAME-TYPE, one each',
    )
    .option('--types <types...>', 'only these content types (default: all of the profile)', words)
    .option('--workers <n>', 'pages in flight at once, 1 to 50 (default: 1)', count)
    .option(
      '--queue-size <n>',
      'pages that may be ahead of a slow one (default: 100 × workers)',
      count,
    )
    .option('--batch-size <n>', 'items per page, 10 to 1000 (default: 100)', count)
    .option('--rate-per-minute <n>', 'requests per minute to its host, kept as its limit', rate)
    .option('--rate-per-second <n>', 'requests per second to its host, kept as its limit', rate)
    .option('--no-adaptive', 'keep to the rate as given, instead of finding the best one below it')
    .option(
      '--max-attempts <n>',
      'failed attempts per page or item before it fails (default: 3)',
      count,
    )
    .option(
      '--most-absent <percent>',
      'mark no more of the records absent at once; 100 marks all (default: 20)',
      percent,
    )
    .option(
      '--rereads <n>',
      'read a list again that changed meanwhile (default: once)',
      wholeNumber,
    )
    .option(
      '--give-up-after <hours>',
      'fail what is asked of a source silent so long (default: 24)',
      hours,
    )
    .addOption(
      new Option('--full', 'read every list to its end (the default)').conflicts('incremental'),
    )
    .option(
      '--incremental',
      'ask only for what changed since the last complete list; needs changedSince in the profile',
    )
    .option('--detach', 'start it and return at once')
    .option('--dry-run', 'show what would be asked of whom; nothing is sent or written')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Records that a complete list no longer has are marked absent, never deleted, and not when the list
was cut short, changed while it was read, or lost more than --most-absent of them.
A secret is set by host in RECORD_LINKER_CREDENTIALS; none is in a profile.
Ctrl-C leaves it going; the same command joins it again.
Exit code: 0 done, 1 failed, cancelled or paused for you to mend something, 2 wrong usage, 3 some of it failed, 4 no server, 130 left running.

Examples:
  ./record-linker extract start --profile museum.json --dataset museum --dry-run
  ./record-linker extract start --profile museum.json --dataset museum --workers 4
  ./record-linker extract start --profile museum.json --dataset museum --types artists --rate-per-minute 60
  ./record-linker extract start --profile museum.json --dataset museum --types artists --incremental
  ./record-linker extract start --profile looker --base-url https://looker.example/api/4.0 --dataset bi
  ./record-linker extract to-project 1 --service wikidata --name title`,
    )
    .action(async (flags: ExtractStartFlags) => {
      const { runExtractStart } = await import('../extract/run-start.ts')
      await runExtractStart(flags)
    })
}

function defineStatus(command: Command): void {
  withRun(command, '[run]')
    .summary('how an extraction stands')
    .description('Shows how an extraction stands, by content type (default: the last one).')
    .option('--watch', 'follow it until it ends')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker extract status\n  ./record-linker extract status 3 --watch',
    )
    .action(async (run: number | undefined, flags: ExtractStatusFlags) => {
      const { runExtractStatus } = await import('../extract/run-status.ts')
      await runExtractStatus(run, flags)
    })
}

function defineList(command: Command): void {
  command
    .summary('the last extractions')
    .description('Lists the last extractions, the newest first.')
    .option('--limit <n>', 'how many (default: 20)', count, 20)
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker extract list -o json')
    .action(async (flags: { readonly limit: number; readonly output: OutputFormat }) => {
      const { listExtractions } = await import('../extract/list-extractions.ts')
      await listExtractions(flags)
    })
}

function defineErrors(command: Command): void {
  withRun(command)
    .summary('what of an extraction failed')
    .description('Lists the pages and items that could not be read, and by which worker.')
    .option('--limit <n>', 'how many (default: 100)', count, 100)
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker extract errors 3 -o jsonl')
    .action(
      async (run: number, flags: { readonly limit: number; readonly output: OutputFormat }) => {
        const { listExtractErrors } = await import('../extract/list-extract-errors.ts')
        await listExtractErrors(run, flags)
      },
    )
}

function definePause(command: Command): void {
  withRun(command)
    .summary('hold a running extraction')
    .description('Holds a running extraction: within 5 seconds nothing more is asked.')
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker extract pause 3')
    .action(async (run: number, flags: { readonly output: OutputFormat }) => {
      const { pauseExtraction } = await import('../extract/control-extraction.ts')
      await pauseExtraction(run, flags)
    })
}

function defineResume(command: Command): void {
  withRun(command)
    .summary('let an extraction go on, paused or ended early')
    .description(
      'Lets an extraction go on: one that is paused, was cancelled, broke, or has errors. Stored pages are not asked again; failed ones are.',
    )
    .option('--workers <n>', 'with another number of workers than before', count)
    .option('--batch-size <n>', 'with other pages than before, where the list allows it', count)
    .option('--detach', 'let it go on and return at once')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker extract resume 3\n  ./record-linker extract resume 3 --workers 2',
    )
    .action(async (run: number, flags: ExtractResumeFlags) => {
      const { resumeExtraction } = await import('../extract/resume-extraction.ts')
      await resumeExtraction(run, flags)
    })
}

function defineCancel(command: Command): void {
  withRun(command)
    .summary('stop a running extraction; what is stored stays')
    .description(
      'Stops a running extraction within seconds. Stored pages stay for a resume; no record is changed.',
    )
    .option('--detach', 'ask for it and return at once')
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker extract cancel 3')
    .action(async (run: number, flags: ExtractCancelFlags) => {
      const { cancelExtraction } = await import('../extract/control-extraction.ts')
      await cancelExtraction(run, flags)
    })
}

function rate(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('expected a number above 0')
}

function percent(text: string): number {
  if (/^(?:100|[1-9]?\d)$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number from 0 to 100')
}
