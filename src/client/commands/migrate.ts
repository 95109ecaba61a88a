import type { Command } from 'commander'
import { loadConfig, type Config } from '../../config.ts'
import { outputOption, printAnswer, say, type OutputFormat } from '../output.ts'

export function register(program: Command): void {
  program
    .command('migrate')
    .summary('bring external servers to this version')
    .description(
      'Applies the migrations that the database lacks, and tells a Temporal server of TEMPORAL_ADDRESS our search attributes. Embedded servers need no such command; external ones do, once per version.',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker migrate\n  ./record-linker migrate -o json',
    )
    .action(async ({ output }: { output: OutputFormat }) => {
      const { migrateToLatest } = await import('../../db/migrate.ts')
      const { checkExternalServers } = await import('../stack/external-servers.ts')
      const { registerSearchAttributes } = await import('../stack/temporal-namespace.ts')
      const config = loadConfig(process.env)
      await checkExternalServers(config)
      const { applied } = await withDatabase(config, migrateToLatest)
      const searchAttributes = config.temporalAddress
        ? await registerSearchAttributes(config.temporalAddress, config.temporalNamespace)
        : true
      printAnswer(output, { applied, searchAttributes }, () =>
        [appliedText(applied), ...(searchAttributes ? [] : [refusedText])].join('\n'),
      )
    })
}

const refusedText =
  'The Temporal server refuses our search attributes; runs are started without them.'

async function withDatabase<T>(config: Config, use: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl)
  const { ensureStack } = await import('../stack/ensure-stack.ts')
  const stack = await ensureStack(config, say)
  return use(stack.databaseUrl).finally(stack.close)
}

function appliedText(applied: readonly string[]): string {
  if (applied.length === 0) return 'The schema is up to date.'
  return `Applied: ${applied.join(', ')}`
}
