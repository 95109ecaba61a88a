import { type Command, InvalidArgumentError } from 'commander'
import { projectId } from '../known-project.ts'

export interface ServeFlags {
  readonly host: string
  readonly port: number
  readonly allowHost?: readonly string[]
  readonly token?: string
}

export interface ReviewFlags {
  readonly project?: number
  readonly port: number
  readonly open: boolean
}

const HIGHEST_PORT = 65_535
/** Outside the range that systems give to outgoing connections. */
const USUAL_PORT = '8533'

/** Adds `serve`: the HTTP API and the pages; and `review`: the same, opened where records wait. */
export function register(program: Command): void {
  program
    .command('serve')
    .summary('the HTTP API and the pages, until interrupted')
    .description(
      'Serves the HTTP API (see /openapi.json) and the pages of projects and review, on this machine only unless told otherwise.',
    )
    .option(
      '--host <address>',
      'address to listen on; other than loopback needs a token',
      '127.0.0.1',
    )
    .option('--port <n>', 'port to listen on, 0 takes a free one', port, Number(USUAL_PORT))
    .option('--allow-host <name...>', 'names under which it may be asked, beside its address')
    .option('--token <text>', 'token that is asked for (default: a random one, unless on loopback)')
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker serve
  ./record-linker serve --host 0.0.0.0 --allow-host linker.example.org`,
    )
    .action(async (flags: ServeFlags) => {
      const { runServe } = await import('../serve/run-serve.ts')
      await runServe(flags)
    })
  program
    .command('review')
    .summary('judge doubtful records in the browser')
    .description(
      'Serves the pages on this machine and opens the one where records wait for a person; until interrupted.',
    )
    .option('--project <id>', 'number of the project (default: the list of all)', projectId)
    .option('--port <n>', 'port to listen on, 0 takes a free one', port, Number(USUAL_PORT))
    .option('--no-open', 'only print the address')
    .addHelpText('after', '\nExample:\n  ./record-linker review --project 123')
    .action(async (flags: ReviewFlags) => {
      const { runReview } = await import('../serve/run-serve.ts')
      await runReview(flags)
    })
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= HIGHEST_PORT) return Number(text)
  throw new InvalidArgumentError('Expected a port, 0 to 65535.')
}
