import type { Config } from '../../config.ts'
import { UnavailableError } from '../../errors.ts'
import { connectKeeper, findKeeper } from './control-client.ts'
import { ensureStack } from './ensure-stack.ts'

/**
 * Watches over the embedded servers while a command waits for work of theirs. A keeper that was killed is started again:
 * its worker ended with it, and without one the work would stand still.
 * @param report gets a line when that happens
 * @returns when the signal is aborted, or at once with external servers only
 * @throws UnavailableError `stack_stopped` when somebody stops the servers
 */
export async function keepStack(
  config: Config,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (config.temporalAddress && config.databaseUrl) return
  for (;;) {
    const stack = await ensureStack(config, report, { tellAddresses: false })
    const end = await keeperEnd(stack.home, signal).finally(stack.close)
    if (signal.aborted) return
    if (end === 'stopped') {
      throw new UnavailableError({
        code: 'stack_stopped',
        message:
          'The embedded servers were stopped; what was going on goes on when they run again.',
        hint: './record-linker up --background',
      })
    }
    report('The process that keeps the servers running was killed; it starts again …')
  }
}

/** How the keeper of that home ends; also returns when the signal is aborted. */
async function keeperEnd(home: string, signal: AbortSignal): Promise<'stopped' | 'killed'> {
  const keeper = findKeeper(home)
  const line = keeper && (await connectKeeper(keeper, '/follow'))
  if (line === undefined) return 'killed'
  line.unref()
  signal.addEventListener('abort', line.close, { once: true })
  if (signal.aborted) line.close()
  try {
    for await (const { event } of line.events) if (event === 'stopping') return 'stopped'
    return 'killed'
  } finally {
    line.close()
    signal.removeEventListener('abort', line.close)
  }
}
