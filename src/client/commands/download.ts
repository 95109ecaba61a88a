import { type Command, InvalidArgumentError, Option } from 'commander'
import { count } from '../match/option-values.ts'
import { outputOption, type OutputFormat } from '../output.ts'
import type { EnqueueFlags, FromProjectFlags } from '../download/add-jobs.ts'
import type { RunQueueFlags } from '../download/run-queue.ts'
import type { RetryJobsFlags } from '../download/show-job.ts'
import {
  addQueueFlag,
  addSetFlags,
  type DownloadSetFlags,
  list,
  type QueueFlag,
} from './download-flags.ts'
import { defineDownloadConfig } from './download-config.ts'
import { defineDownloadExport, defineGarbage, defineVerify } from './download-store.ts'
import { words } from './extract-run-argument.ts'

export interface OutputFlag {
  readonly output: OutputFormat
}

/** Adds the group `download`, also called `queue`. */
export function register(program: Command): void {
  const group = program
    .command('download')
    .alias('queue')
    .summary('fetch files: documents and images of what was matched')
    .description(
      'Fetches files, each once, whole, checked and politely, into a store by their content. A queue can be run, stopped and run again.',
    )
  defineEnqueue(group.command('enqueue'))
  defineImport(group.command('import'))
  defineFromProject(group.command('from-project'))
  defineRun(group.command('run'))
  defineStats(group.command('stats'))
  defineDownloadConfig(group.command('config'))
  defineShow(group.command('show'))
  defineRetry(group.command('retry-failed'))
  definePause(group.command('pause'))
  defineResume(group.command('resume'))
  defineCancel(group.command('cancel'))
  defineDownloadExport(group.command('export'))
  defineVerify(group.command('verify'))
  defineGarbage(group.command('gc'))
}

function defineEnqueue(command: Command): void {
  addSetFlags(command.argument('[urls...]', 'addresses of files'))
    .summary('put files into a queue')
    .description('Puts files into a queue. One that is there already stays as it is.')
    .option('--doi <doi>', 'the document behind a DOI', list)
    .option('--commons <file>', 'a file of Wikimedia Commons by its name', list)
    .option('--width <px>', 'pictures of Commons of this width, moved to one that is served', count)
    .option('--name <name>', 'what the file is called')
    .option('--priority <n>', 'higher ones first (default: 0)', priority)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker download enqueue https://example.org/report.pdf
  ./record-linker download enqueue --doi 10.1000/182 --commons 'Rembrandt van Rijn - Self-Portrait.jpg' --width 960`,
    )
    .action(async (urls: readonly string[], flags: EnqueueFlags) => {
      const { enqueueFiles } = await import('../download/add-jobs.ts')
      await enqueueFiles(urls, flags)
    })
}

function defineImport(command: Command): void {
  addSetFlags(command.argument('<file>', 'JSON lines or CSV: url, doi, commons, sha256, …'))
    .summary('put the files of a list into a queue')
    .description(
      'Reads a list of files, a line each. Lines that cannot be read are told by number, and left out.',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Columns: id, url, urls, doi, commons, width, name, priority, resolver, types, bytes, min_bytes, max_bytes,
allow_empty, must_end_complete, sha256, sha512, sha1, md5, author, licence, licence_url, credit; others fill templates.
Exit code: 3 where lines were left out.

Examples:
  ./record-linker download import artifacts.jsonl
  ./record-linker queue import papers.csv -c queue.json`,
    )
    .action(async (file: string, flags: DownloadSetFlags & OutputFlag) => {
      const { importFiles } = await import('../download/add-jobs.ts')
      await importFiles(file, flags)
    })
}

function defineFromProject(command: Command): void {
  addSetFlags(command.argument('<project>', 'number of the project', projectNumber))
    .summary('put images and documents of matched items into a queue')
    .description(
      'Takes what the matched items of a project state: names of pictures, addresses, DOIs. Author, licence and credit of pictures come with them.',
    )
    .requiredOption(
      '--property <ids>',
      'properties, such as P18; fetched with extend before',
      words,
    )
    .addOption(
      new Option('--only <who>', 'matches of these alone')
        .choices(['all', 'judged', 'automatic'])
        .default('all'),
    )
    .option('--width <px>', 'pictures of this width, moved to one that is served', count)
    .option('--priority <n>', 'higher ones first (default: 0)', priority)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker extend --project 124 --property P18
  ./record-linker download from-project 124 --property P18 --width 960
  ./record-linker download from-project 124 --property P18 --only judged`,
    )
    .action(async (project: number, flags: FromProjectFlags) => {
      const { filesFromProject } = await import('../download/add-jobs.ts')
      await filesFromProject(project, flags)
    })
}

function defineRun(command: Command): void {
  addSetFlags(command)
    .summary('fetch the files of a queue, or join who does')
    .description(
      'Fetches what waits in a queue. It goes on after Ctrl-C, and after the end of this machine.',
    )
    .option('--drain', 'end when nothing waits any more, instead of waiting for more')
    .option('--detach', 'start it and return at once')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Ctrl-C leaves it going; the same command joins it again.
Exit code: 0 done, 1 cancelled or paused for you to mend something, 2 wrong usage, 3 some files failed, 4 no server, 130 left running.

Examples:
  ./record-linker download run --drain
  ./record-linker queue run --drain -c queue.json --max-per-host 2`,
    )
    .action(async (flags: RunQueueFlags) => {
      const { runQueue } = await import('../download/run-queue.ts')
      await runQueue(flags)
    })
}

function defineStats(command: Command): void {
  addQueueFlag(command)
    .summary('how a queue stands')
    .description('Counts the files of a queue by state, and those that failed by reason.')
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker download stats')
    .action(async (flags: QueueFlag & OutputFlag) => {
      const { withMatchContext } = await import('../match/match-context.ts')
      const { reconciledQueue } = await import('../download/opened-queue.ts')
      const { printQueue } = await import('../download/queue-report.ts')
      await withMatchContext(async ({ client, db }) => {
        await printQueue(db, await reconciledQueue(client, db, flags.queue), flags.output)
      })
    })
}

function defineShow(command: Command): void {
  addQueueFlag(
    command.argument('<file>', 'its number, or what it is known by, such as doi:10.1000/182'),
  )
    .summary('one file: how it stands, and what was tried')
    .description('Shows how a file stands, and every request that was made for it.')
    .addOption(outputOption())
    .addHelpText(
      'after',
      "\nExample:\n  ./record-linker download show 'url:https://example.org/report.pdf'",
    )
    .action(async (which: string, flags: QueueFlag & OutputFlag) => {
      const { showJob } = await import('../download/show-job.ts')
      await showJob(which, flags)
    })
}

function defineRetry(command: Command): void {
  addQueueFlag(command)
    .summary('try failed files again')
    .description(
      'Lets failed files wait again, all or those of one reason. Nothing else is asked again.',
    )
    .option('--reason <code>', 'only those, such as not-found')
    .option('--job <file>', 'only this one; may be given several times', list)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker download retry-failed\n  ./record-linker queue retry-failed --reason truncated',
    )
    .action(async (flags: RetryJobsFlags) => {
      const { retryJobs } = await import('../download/show-job.ts')
      await retryJobs(flags)
    })
}

function definePause(command: Command): void {
  addQueueFlag(command)
    .summary('hold a queue')
    .description(
      'Holds a queue: within 5 seconds no other file is asked for. What is on its way comes to its end.',
    )
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker download pause')
    .action(async (flags: QueueFlag & OutputFlag) => {
      const { pauseQueue } = await import('../download/run-queue.ts')
      await pauseQueue(flags)
    })
}

function defineResume(command: Command): void {
  addQueueFlag(command)
    .summary('let a paused queue go on')
    .description('Lets a queue go on that a person, a full disk or a missing setting holds.')
    .addOption(outputOption())
    .addHelpText('after', '\nExample:\n  ./record-linker download resume')
    .action(async (flags: QueueFlag & OutputFlag) => {
      const { resumeQueue } = await import('../download/run-queue.ts')
      await resumeQueue(flags)
    })
}

function defineCancel(command: Command): void {
  addQueueFlag(command)
    .summary('stop fetching, or leave some files out')
    .description(
      'Stops fetching within seconds; what was not finished waits for the next run. With --job those files are left out instead.',
    )
    .option('--job <file>', 'do not fetch this one; may be given several times', list)
    .option('--detach', 'ask for it and return at once')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker download cancel\n  ./record-linker download cancel --job 17',
    )
    .action(
      async (
        flags: QueueFlag &
          OutputFlag & { readonly job?: readonly string[]; readonly detach?: true },
      ) => {
        const { job } = flags
        if (job === undefined) {
          const { cancelQueue } = await import('../download/run-queue.ts')
          await cancelQueue(flags)
        } else {
          const { skipJobs } = await import('../download/show-job.ts')
          await skipJobs({ ...flags, job })
        }
      },
    )
}

function priority(text: string): number {
  if (/^-?\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number')
}

function projectNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected the number of a project, such as 124')
}
