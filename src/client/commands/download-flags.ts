/** Options that the commands of `download` share. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { age, count } from '../match/option-values.ts'

export interface QueueFlag {
  readonly queue: string
}

/** Settings of a queue, in the place of those in its file. */
export interface DownloadSetFlags extends QueueFlag {
  /** Path of a file. */
  readonly config?: string
  readonly maxWorkers?: number
  readonly maxPerHost?: number
  readonly maxPerResolver?: Readonly<Record<string, number>>
  readonly maxAttempts?: number
  readonly maxBytes?: number
  readonly head?: boolean
  readonly store?: string
  readonly allowAddress?: readonly string[]
  readonly cache?: 'use' | 'force' | 'offline'
  /** Ms. */
  readonly maxAge?: number
}

export function addQueueFlag(command: Command): Command {
  return command.option('--queue <name>', 'which queue', queueName, 'default')
}

export function addSetFlags(command: Command): Command {
  return addQueueFlag(command)
    .option('-c, --config <file>', 'JSON with the settings of the queue, see docs/download.md')
    .option('--max-workers <n>', 'files on their way at once (default: 16)', count)
    .option('--max-per-host <n>', 'of them from one host (default: 4)', count)
    .option('--max-per-resolver <name=n>', 'of them by one resolver (default: 8)', resolverCaps)
    .option('--max-attempts <n>', 'failed attempts before a file is given up (default: 3)', count)
    .option('--max-bytes <n>', 'longest file (default: 1 GiB)', count)
    .option('--head', 'ask for the headers first')
    .option('--no-head', 'ask for the file at once (the default)')
    .option('--store <uri>', 'where the files are kept: file:///folder or s3://bucket/prefix')
    .option('--allow-address <range>', 'let a private address in, such as 10.0.0.0/8', list)
    .addOption(
      new Option('--cache <how>', 'use stored answers, ask anyway, or ask nobody').choices([
        'use',
        'force',
        'offline',
      ]),
    )
    .option('--max-age <age>', 'use no stored answer that is older without asking, such as 7d', age)
}

function queueName(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)) return text
  throw new InvalidArgumentError('expected small letters, digits, - and _, 63 at most')
}

function resolverCaps(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, name, number] = /^([a-z0-9][a-z0-9_-]*)=([1-9]\d{0,3})$/.exec(text) ?? []
  if (name !== undefined) return { ...before, [name]: Number(number) }
  throw new InvalidArgumentError('expected NAME=NUMBER, such as doi=2')
}

/** For commander: an option that may be given several times. */
export function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
