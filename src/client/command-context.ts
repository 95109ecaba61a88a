import { type Config, loadConfig } from '../config.ts'
import { connectDatabase, type Db } from '../db/connect.ts'
import { exitCodes } from './exit-codes.ts'
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
  const stack = await interruptibleStack(config)
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

/** Ctrl-C while they start: they are in a process group of their own, and nothing else would say so. */
async function interruptibleStack(config: Config): Promise<Stack> {
  let isStarting = false
  const leave = () => {
    say(
      isStarting
        ? '\nInterrupted. The servers go on starting in the background; stop them: ./record-linker down'
        : '\nInterrupted.',
    )
    process.exit(exitCodes.interrupted)
  }
  process.once('SIGINT', leave)
  try {
    const { ensureStack } = await import('./stack/ensure-stack.ts')
    return await ensureStack(config, (line) => {
      isStarting = true
      say(line)
    })
  } finally {
    process.off('SIGINT', leave)
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
