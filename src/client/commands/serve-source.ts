import { type Command, InvalidArgumentError } from 'commander'

export interface ServeSourceFlags {
  readonly port: number
  readonly host: string
  readonly seed: number
  readonly credentials: string
  readonly users?: number
  readonly groups?: number
  readonly folders?: number
  readonly looks?: number
  readonly dashboards?: number
  readonly models?: number
  readonly day: number
  readonly drift?: number
  readonly ratePerMinute?: number
  readonly mostRows?: number
  readonly faults: number
  readonly forbidden: number
  readonly tokenLife: number
  readonly delay: number
}

/** Adds `serve-source`: an API to extract from, until interrupted. */
export function register(program: Command): void {
  program
    .command('serve-source')
    .summary('an API in the manner of Looker, to try extract with')
    .description(
      'Serves made-up users, groups, folders, looks, models and dashboards in the manner of Looker API 4.0.',
    )
    .option('--port <n>', 'port to listen on, 0 takes a free one', whole(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <n>', 'the same number, the same records and faults', whole(0, 2 ** 31), 1)
    .option('--credentials <id:secret>', 'what the login takes', idAndSecret, 'demo:demo')
    .option('--users <n>', 'how many (default: 250)', count)
    .option('--groups <n>', 'how many (default: 40)', count)
    .option('--folders <n>', 'how many (default: 60)', count)
    .option('--looks <n>', 'how many (default: 150)', count)
    .option('--dashboards <n>', 'how many, each tenth of LookML (default: 80)', count)
    .option('--models <n>', 'how many (default: 12)', count)
    .option('--day <n>', 'as it stands on this day: each, some records change', whole(1, 10_000), 1)
    .option('--drift <n>', 'a day goes by after each so many requests', whole(1, 1_000_000))
    .option('--rate-per-minute <n>', 'refuse more than that with 429', whole(1, 1_000_000))
    .option('--most-rows <n>', 'rows of a page, whatever is asked', whole(1, 1_000_000))
    .option('--faults <percent>', 'requests that fail, one way or another', whole(0, 100), 0)
    .option('--forbidden <n>', 'so many dashboards have no details: 403', whole(0, 1_000_000), 0)
    .option('--token-life <seconds>', 'after which a login is needed', whole(1, 1_000_000), 3_600)
    .option('--delay <ms>', 'before each answer', whole(0, 600_000), 0)
    .addHelpText(
      'after',
      `
Users, groups, looks and models come page by page with X-Total-Count and Link; the other lists come whole.
Each day 2 % of the records of a kind change, 1 % come and 1 % go, at least one of each; models stay.

Examples:
  ./record-linker serve-source --port 8002
  ./record-linker serve-source --port 8002 --day 2                    the same, a day later
  ./record-linker serve-source --port 8002 --rate-per-minute 120 --faults 5 --drift 200`,
    )
    .action(async (flags: ServeSourceFlags) => {
      const { serveSource } = await import('../extract/serve-source.ts')
      await serveSource(flags)
    })
}

const count = whole(0, 1_000_000)

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`)
  }
}

function idAndSecret(text: string): string {
  if (/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('expected an id and a secret, such as demo:demo')
}
