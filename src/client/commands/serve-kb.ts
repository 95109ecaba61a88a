import { counted } from '../../core/counted.ts'
import type { Command } from 'commander'
import { UsageError } from '../../errors.ts'
import { interrupted } from '../interrupted.ts'

interface ServeKbFlags {
  readonly port: string
  readonly host: string
  readonly batchSize?: string
  readonly limit?: string
}

const HIGHEST_PORT = 65_535
const MOST_QUERIES = 1000
const MOST_CANDIDATES = 100

/** Adds `serve-kb`: a file of items as a W3C reconciliation service, until interrupted. */
export function register(program: Command): void {
  program
    .command('serve-kb')
    .description('serve a JSONL file of items as a W3C Reconciliation API 0.2 service')
    .argument('<file>', 'one item a line (see below), plain or gzipped')
    .option('--port <n>', 'port to listen on, 0 takes a free one', '0')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--batch-size <n>', 'queries per request at most, 1 to 1000 (default: 50)')
    .option('--limit <n>', 'candidates when a query does not say, 1 to 100 (default: 10)')
    .addHelpText(
      'after',
      `
A line is one JSON object; only "qid" (any id of yours) and "label" are needed:
  {"qid":"lc-77","label":"Anna Maria Bakker","description":"Dutch painter (1840-1901)",
   "aliases":["A. M. Bakker"],"types":["Q5"],
   "properties":{"P17":[{"id":"Q55","name":"Netherlands"}],"P856":["https://example.org"]}}

Example: ./record-linker serve-kb authority.jsonl.gz --port 8001`,
    )
    .action(serveKb)
}

async function serveKb(file: string, flags: ServeKbFlags): Promise<void> {
  const { startKbService } = await import('../../kb/kb-service.ts')
  const service = await startKbService({
    file,
    host: flags.host,
    port: wholeNumber('--port', flags.port, 0, HIGHEST_PORT),
    batchSize: wholeNumber('--batch-size', flags.batchSize, 1, MOST_QUERIES),
    limit: wholeNumber('--limit', flags.limit, 1, MOST_CANDIDATES),
  })
  const leftOut = service.badLines === 0 ? '' : `, ${counted(service.badLines, 'line')} left out`
  // Whoever reads the address may interrupt at once.
  const end = interrupted()
  process.stdout.write(`${service.url}\n`)
  process.stderr.write(
    [
      `Serving ${counted(service.items, 'item')} of ${file} at ${service.url}${leftOut}. Ctrl-C ends it.`,
      `  try it:  curl -s ${service.url} --data-urlencode 'queries={"q0":{"query":"NAME"}}'`,
      `  use it:  ./record-linker project create --service ${service.url} … (see project create --help)`,
      '',
    ].join('\n'),
  )
  await end
  await service.close()
}

function wholeNumber(flag: string, text: string | undefined, least: number, most: number) {
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageError({
    code: 'invalid_option',
    message: `${flag} is "${text}"; expected a whole number from ${least} to ${most}.`,
    hint: './record-linker serve-kb --help lists the options.',
  })
}
