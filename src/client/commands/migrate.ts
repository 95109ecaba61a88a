import type { Command } from 'commander'
import { loadConfig, type Config } from '../../config.ts'
import { outputOption, printAnswer, say, type OutputFormat } from '../output.ts'

export function register(program: Command): void {
  program
    .command('migrate')
    .summary('bring the database schema to this version')
    .description(
      'Applies the migrations that the database lacks. The embedded database needs no such command; an external one does, once per version.',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker migrate\n  ./record-linker migrate -o json',
    )
    .action(async ({ output }: { output: OutputFormat }) => {
      const { migrateToLatest } = await import('../../db/migrate.ts')
      const { applied } = await withDatabase(loadConfig(process.env), migrateToLatest)
      printAnswer(output, { applied }, () => appliedText(applied))
    })
}

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
