import type { Command } from 'commander'
import { loadConfig, maskPassword, type Config } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'
import { outputOption, printAnswer, say, type OutputFormat } from '../output.ts'
import type { StackAddresses } from '../stack/stack.ts'

interface UpOptions {
  readonly background?: true
  readonly output: OutputFormat
}

export function register(program: Command): void {
  program
    .command('up')
    .summary('start the embedded servers and a worker')
    .description(
      'Starts PostgreSQL, Temporal with its Web UI, a worker, the sample service and the pages, and prints where they are. Ctrl-C stops them all. Where they run already, it says where, and nothing more is started.',
    )
    .option('--background', 'return when they run; they end when nobody needs them, or by "down"')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker up\n  ./record-linker up --background -o json',
    )
    .action(async (options: UpOptions) => {
      const config = loadConfig(process.env)
      if (options.background || isAllExternal(config)) await inBackground(config, options)
      else await inForeground(config, options)
    })
}

async function inBackground(config: Config, options: UpOptions): Promise<StackAddresses> {
  const { ensureStack } = await import('../stack/ensure-stack.ts')
  const { stackLines } = await import('../stack/stack-lines.ts')
  const stack = await ensureStack(config, say, { tellAddresses: false })
  printAddresses(stack, options, stackLines)
  stack.close()
  if (isAllExternal(config)) {
    say('Both servers are external; nothing was started. Next: ./record-linker worker')
    return stack
  }
  say(
    `They end after ${config.idleMinutes} minutes without an open run or a command, or by: ./record-linker down`,
  )
  return stack
}

async function inForeground(config: Config, options: UpOptions): Promise<void> {
  const { findStack } = await import('../stack/find-stack.ts')
  if ((await findStack(config)) !== undefined) {
    say('The servers run already; stop them with: ./record-linker down')
    const { pagesUrl } = await inBackground(config, options)
    if (pagesUrl === undefined)
      say(
        'The pages, which they do not serve: ./record-linker review (in the browser) or ./record-linker serve',
      )
    return
  }
  const { runKeeper } = await import('../stack/keeper.ts')
  const { stackLines } = await import('../stack/stack-lines.ts')
  const { obtainTemporalCli } = await import('../stack/temporal-cli.ts')
  const { stackPrograms } = await import('../stack/stack-programs.ts')
  const end = await runKeeper({
    config,
    temporalCli: config.temporalAddress ? '' : await obtainTemporalCli(),
    programs: stackPrograms,
    foreground: true,
    report: say,
    onReady: (addresses) => {
      printAddresses(addresses, options, stackLines)
      say('Ctrl-C stops them all.')
    },
  })
  if (end.why === 'failed') throw end.error
  if (end.why !== 'another keeper lives') return say('All stopped.')
  throw new UnavailableError({
    code: 'stack_owned',
    message: `Process ${end.owner.pid} owns the servers of ${config.home} and is just starting or ending them.`,
    hint: 'Run the command again in some seconds.',
  })
}

function isAllExternal(config: Config): boolean {
  return config.temporalAddress !== undefined && config.databaseUrl !== undefined
}

function printAddresses(
  stack: StackAddresses,
  options: UpOptions,
  stackLines: (stack: StackAddresses) => readonly string[],
): void {
  const { temporalAddress, temporalNamespace, webUiUrl, sampleServiceUrl, pagesUrl, home } = stack
  // With its password it stands in a file that only its owner can read.
  const databaseUrl = maskPassword(stack.databaseUrl)
  const servers = { webUiUrl, pagesUrl, temporalAddress, temporalNamespace }
  const all = { ...servers, databaseUrl, sampleServiceUrl, home }
  printAnswer(options.output, all, () => stackLines(stack).join('\n'))
}
