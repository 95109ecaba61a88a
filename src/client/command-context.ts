import { type Config, loadConfig } from '../config.ts'
import { connectDatabase, type Db } from '../db/connect.ts'
import { say } from './output.ts'
import type { Stack } from './stack/stack.ts'

/** What a command works with. */
export interface CommandContext {
  readonly config: Config
  readonly stack: Stack
  readonly db: Db
  readonly close: () => Promise<void>
}

/** The servers of the environment, embedded ones started where none run, and a connection to the database. */
async function openCommandContext(): Promise<CommandContext> {
  const config = loadConfig(process.env)
  const { ensureStack } = await import('./stack/ensure-stack.ts')
  const stack = await ensureStack(config, say)
  const db = connectDatabase(stack.databaseUrl)
  return {
    config,
    stack,
    db,
    close: async () => {
      await db.destroy()
      stack.close()
    },
  }
}

/** Opens the context for one piece of work and closes it, whatever happens. */
export async function withCommandContext<T>(
  use: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const context = await openCommandContext()
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}
